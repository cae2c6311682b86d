/** Context hints: memories that fit the work of the caller get a higher score. Hints never filter. */

import { isEntityTag } from '../../domain/entity.js';
import type { MemoryType } from '../../domain/memory.js';
import type { ContextHints } from '../../domain/recall.js';
import { tagKeys } from '../../domain/tags.js';
import { queryTerms } from '../../domain/text/terms.js';
import { wordHash } from '../../domain/text/words.js';
import { HINT_BONUS } from '../ranking-constants.js';
import { type AnalyzedMemory, hasStem, hasTagStem } from '../score/text.js';
import KNOWN from './languages.json' with { type: 'json' };

/** Types whose memories contain rules for writing code. They get a higher bonus if they mention the language in use. */
const STYLE_TYPES: ReadonlySet<MemoryType> = new Set(['Style', 'Preference']);

export interface HintProfile {
  /** Hashes of the terms of the context. */
  contextTerms: readonly number[];
  tagKeys: readonly string[];
  types: ReadonlySet<MemoryType>;
  ids: ReadonlySet<string>;
  /** The patterns by which memories mention the language in use. Undefined when the language is unknown. */
  language: LanguageMention | undefined;
}

export function readHints(hints: ContextHints | undefined): HintProfile | undefined {
  if (!hints) return undefined;
  const language = languageOfName(hints.language ?? '') ?? languageOfPath(hints.active_path ?? '');
  return {
    contextTerms: queryTerms(hints.context ?? '').map(wordHash),
    tagKeys: tagKeys(hints.context_tags),
    types: new Set(hints.context_types),
    ids: new Set(hints.priority_ids),
    language: language && languageMention(language),
  };
}

/** The sum of the bonuses of a memory, 0 or more. */
export function contextBonus(hints: HintProfile, { memory, text }: Pick<AnalyzedMemory, 'memory' | 'text'>): number {
  let bonus = 0;
  if (hints.ids.has(memory.id)) bonus += HINT_BONUS.priority;
  if (hints.tagKeys.some(key => memory.tag_prefixes.includes(key))) bonus += HINT_BONUS.tag;
  if (hints.types.has(memory.type)) bonus += HINT_BONUS.type;
  if (hints.language && mentionsLanguage(hints.language, memory.content, memory.tag_prefixes)) {
    bonus += STYLE_TYPES.has(memory.type) ? HINT_BONUS.style : HINT_BONUS.language;
  }
  return (
    bonus + HINT_BONUS.context * shareOf(hints.contextTerms, term => hasStem(text, term) || hasTagStem(text, term))
  );
}

function shareOf<Item>(items: readonly Item[], has: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(has).length / items.length;
}

export interface Language {
  names: readonly string[];
  extensions: readonly string[];
}

/** The list only defines aliases: any other name stands for itself. */
const LANGUAGES: readonly Language[] = KNOWN.languages;

/** Files whose full name determines their language. */
const LANGUAGE_BY_FILE: ReadonlyMap<string, string> = new Map(Object.entries(KNOWN.files));

/** Finds a language by name. A language that is not in the list has only the given name. */
export function languageOfName(name: string): Language | undefined {
  const key = nameKey(name);
  if (key === '') return undefined;
  return LANGUAGES.find(({ names }) => names.includes(key)) ?? { names: [key], extensions: [] };
}

export function languageOfPath(path: string): Language | undefined {
  const file = path.trim().toLowerCase().split(/[/\\]/).at(-1) ?? '';
  const known = LANGUAGE_BY_FILE.get(file);
  if (known !== undefined) return languageOfName(known);
  const extension = /\.([^.]+)$/.exec(file)?.[1];
  return extension === undefined ? undefined : LANGUAGES.find(({ extensions }) => extensions.includes(extension));
}

/** Normalizes a name for comparison: lower case, parts joined by one hyphen. */
export function nameKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
}

export interface LanguageMention {
  /** The name in the spelling of tag segments. */
  names: ReadonlySet<string>;
  patterns: readonly RegExp[];
}

/**
 * Language names that are ordinary words. An unlisted name of one or two letters is ambiguous too, and has stricter
 * rules.
 */
const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `go rust swift dart crystal elm basic scheme racket batch fish less make node processing assembly ring red self clean factor
  io`.split(/\s+/),
);
const SHORT_NAME_LENGTH = 2;

const WORD = '\\p{L}\\p{N}_';
/**
 * Characters that may not follow a name: a letter, or a character of the name of another language. Version numbers may
 * follow: "python3", "C++17".
 */
const NAME_ENDS = '(?![\\p{L}_+#])';
const TRADE =
  `(?:code|coding|codebase|compiler|program|programming|programmer|developer|language|script|package|module|librar|crate|
  function|routine|struct|class|macro|header|file|project|service|server|backend|frontend|client|test|app|binary|binaries|
  toolchain|runtime|standard|style|syntax|interop|API|SDK|\\d+\\.\\d)`.replace(/\s+/g, '');
const BEFORE_TRADE = `(?=[ -]${TRADE})`;
const AFTER_TRADE =
  '(?<=(?:written|coded|implemented|programmed|programs?|programming|code|scripts?|librar(?:y|ies)) in )';
/**
 * Matches the text before a name: a word in lower case, one of the listed words that can begin a sentence, or a sign
 * such as a comma or an opening parenthesis.
 */
const IN_A_SENTENCE = `(?<=(?<!\\p{L})(?:\\p{Ll}[\\p{Ll}\\p{N}'’-]{0,40}|In|For|With|Use|Using|Our|Prefer|Write|Learn) |[,(/&+] ?)`;
const IN_A_LIST = '(?= ?[,:;/&+)])';

export function languageMention({ names, extensions }: Language): LanguageMention {
  const clear = names.filter(name => !isOrdinary(name) && !isShort(name));
  const ordinary = names.filter(isOrdinary);
  const short = names.filter(name => isShort(name) && !isOrdinary(name));
  const alone = `(?<![${WORD}])(?:${clear.map(spelling).join('|')})${NAME_ENDS}`;
  const code = [
    ...ordinary.map(name => `\`\\s?${spelling(name)}(?=[\\s\`])`),
    ...short.map(name => `\`{3}${spelling(name)}(?=\\s)`),
    ...extensions.map(extension => fileName(spelling(extension))),
  ];
  const anyCase = clear.length > 0 ? [alone, ...code] : code;
  const proper = [...ordinary.flatMap(properNoun), ...short.flatMap(shortName)];
  return {
    names: new Set(names),
    patterns: [...patternOf(anyCase, 'iu'), ...patternOf(proper, 'u')],
  };
}

/**
 * Whether a memory mentions the language, in a whole segment of its tags or in its content. Entity tags are ignored,
 * because they repeat the content less precisely.
 */
export function mentionsLanguage(mention: LanguageMention, content: string, tagPrefixes: readonly string[]): boolean {
  return (
    tagPrefixes.some(prefix => !isEntityTag(prefix) && mention.names.has(nameKey(lastSegment(prefix)))) ||
    mention.patterns.some(pattern => pattern.test(content))
  );
}

function lastSegment(tagPrefix: string): string {
  return tagPrefix.slice(tagPrefix.lastIndexOf(':') + 1);
}

function isOrdinary(name: string): boolean {
  return ORDINARY_WORDS.has(name);
}

function isShort(name: string): boolean {
  return name.length <= SHORT_NAME_LENGTH && /^[\p{L}\p{N}]+$/u.test(name);
}

function properNoun(name: string): string[] {
  const capitalized = spelling(name.charAt(0).toUpperCase() + name.slice(1));
  const whole = `(?<![${WORD}-])${capitalized}(?![${WORD}+#-]|\\.\\p{L})`;
  return [`${IN_A_SENTENCE}${whole}`, `${whole}${IN_A_LIST}`, `${whole}${BEFORE_TRADE}`];
}

function shortName(name: string): string[] {
  const whole = `(?<![${WORD}-])${spelling(name.toUpperCase())}(?![${WORD}+#])`;
  return [`${whole}${BEFORE_TRADE}`, `${AFTER_TRADE}${whole}`];
}

/**
 * The pattern of a file name. It finds the extension first, and then checks a limited number of characters before it. A
 * search from every letter would take quadratic time.
 */
function fileName(extension: string): string {
  return `\\.${extension}(?![${WORD}]|\\.\\p{L})(?<=\\p{L}[${WORD}-]{1,40}\\.${extension})`;
}

/** The pattern of a name. Any separator may join the parts of the name. */
function spelling(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/-/g, '[\\s_-]');
}

function patternOf(alternatives: readonly string[], flags: string): RegExp[] {
  return alternatives.length > 0 ? [new RegExp(alternatives.join('|'), flags)] : [];
}
