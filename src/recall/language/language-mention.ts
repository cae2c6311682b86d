/**
 * Detects whether a memory mentions a programming language, in a tag or in its content. The terms of the text search do
 * not suffice: they drop the characters that distinguish C, C++ and C#, and the case that distinguishes Go from go
 * (docs/decisions.md, "Context hints").
 *
 * A name in the content counts
 * - as a whole word in any case, when it is unambiguous ("java", "c#", "haskell");
 * - when it is an ordinary word, only as a proper noun: with a capital inside a sentence, in an enumeration or before a
 *   colon ("written in Go", "Rust, Go and C", "Go: wrap errors"), next to a programming term ("Swift code"), or as code
 *   (`go vet`);
 * - when it has one or two letters and is not an ordinary word, only in capitals and next to a programming term ("a C
 *   compiler", "written in C"), or as the language of a code block.
 * A file with the extension of the language also counts ("see main.go").
 */
import { isEntityTag } from '../../domain/entity.js';
import { type Language, nameKey } from './languages.js';

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
  const capitalised = spelling(name.charAt(0).toUpperCase() + name.slice(1));
  const whole = `(?<![${WORD}-])${capitalised}(?![${WORD}+#-]|\\.\\p{L})`;
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
