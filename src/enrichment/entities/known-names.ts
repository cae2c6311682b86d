/** Finds names that are in lists. If several known names begin at a word, the longest name is found. */
import type { EntityKind } from '../../domain/entity.js';
import { CONCEPTS, LOWER_CASE_WORDS, ORGANIZATIONS, PLACES, TOOLS, wordSet } from './lists.js';
import { sentencesOf, type Token } from './sentence.js';

export interface KnownName {
  kind: EntityKind;
  /** The spelling that is shown, even if the text spells the name differently. */
  name: string;
  /** The spelling whose capitals the text must have, unless `isInAnyCase` is true. */
  spelling: string;
  /** Whether the name is that of a place. Holidays and methods have the same `kind` as places. */
  isPlace: boolean;
  /**
   * Whether the name is also an ordinary word. A capital at the beginning of a sentence does not make such a word a
   * name.
   */
  isWordlike: boolean;
  /** Whether the name also matches in lower case. */
  isInAnyCase: boolean;
}

const SMALL_WORDS = wordSet('of the and de do la al el');

type Names = Map<string, KnownName>;

/** The names by phrase. This map is built when the first text is read, not when the module is loaded. */
let namesByPhrase: Names | undefined;

/**
 * Maps the first word of known names to the number of words of the longest such name. Most words of a text are not in
 * this map, so they need no search.
 */
let lengthByFirstWord: ReadonlyMap<string, number> | undefined;

const CASED = { isWordlike: false, isInAnyCase: false } as const;

function names(): Names {
  if (namesByPhrase) return namesByPhrase;
  namesByPhrase = new Map();
  const add = (spellings: readonly string[], known: Omit<KnownName, 'name' | 'spelling'>) => {
    for (const name of spellings) namesByPhrase?.set(phraseKey(wordsOf(name)), { ...known, name, spelling: name });
  };
  // Later entries override earlier ones.
  add(PLACES.wordlike, { ...CASED, kind: 'concepts', isPlace: true, isWordlike: true });
  add(PLACES.names, { ...CASED, kind: 'concepts', isPlace: true });
  add([...CONCEPTS.holidays, ...CONCEPTS.methods], { ...CASED, kind: 'concepts', isPlace: false });
  add(ORGANIZATIONS.wordlike, { ...CASED, kind: 'organizations', isPlace: false, isWordlike: true });
  add(ORGANIZATIONS.names, { ...CASED, kind: 'organizations', isPlace: false });
  add(TOOLS.wordlike, { ...CASED, kind: 'tools', isPlace: false, isWordlike: true });
  add(TOOLS.names, { ...CASED, kind: 'tools', isPlace: false, isInAnyCase: true });
  addAliases(namesByPhrase, { ...TOOLS.aliases, ...PLACES.aliases });
  return namesByPhrase;
}

function longestBeginningWith(word: string): number {
  lengthByFirstWord ??= lengthsByFirstWord(names().keys());
  return lengthByFirstWord.get(word) ?? 0;
}

function lengthsByFirstWord(phrases: Iterable<string>): Map<string, number> {
  const lengths = new Map<string, number>();
  for (const phrase of phrases) {
    const [first = '', ...others] = phrase.split(' ');
    lengths.set(first, Math.max(lengths.get(first) ?? 0, others.length + 1));
  }
  return lengths;
}

/** Adds aliases. An alias shares the tag of its main name. */
function addAliases(known: Names, aliases: Readonly<Record<string, string>>): void {
  for (const [alias, name] of Object.entries(aliases)) {
    const meant = known.get(phraseKey(wordsOf(name)));
    if (!meant) throw new Error(`${alias} stands for ${name}, which is in no list`);
    const key = phraseKey(wordsOf(alias));
    const isWordlike = known.get(key)?.isWordlike ?? false;
    known.set(key, { ...meant, isWordlike, isInAnyCase: meant.kind === 'tools' && !isWordlike, spelling: alias });
  }
}

/** @returns the longest known name that begins at a token, and how many tokens it takes */
export function knownNameAt(tokens: readonly Token[], start: number): { known: KnownName; length: number } | undefined {
  const longest = longestBeginningWith(tokens[start]?.key ?? '');
  if (longest === 0) return undefined;
  let length = 1;
  while (length < longest && isJoined(tokens[start + length])) length += 1;
  for (; length > 0; length -= 1) {
    const phrase = tokens.slice(start, start + length);
    const known = names().get(phraseKey(phrase));
    if (known && isWrittenAsName(phrase, known)) return { known, length };
  }
  return undefined;
}

export function knownByKey(key: string): KnownName | undefined {
  return names().get(key);
}

/** @param text the whole name: one word or a phrase */
export function knownAsWritten(text: string): KnownName | undefined {
  const phrase = wordsOf(text);
  const known = names().get(phraseKey(phrase));
  return known && isWrittenAsName(phrase, known) ? known : undefined;
}

function wordsOf(text: string): Token[] {
  return sentencesOf(text).flatMap(({ tokens }) => tokens);
}

function isJoined(token: Token | undefined): boolean {
  return token !== undefined && (token.gap === ' ' || token.gap === ' & ' || (token.gap === '. ' && !token.isOpening));
}

function isWrittenAsName(phrase: readonly Token[], known: KnownName): boolean {
  if (known.isInAnyCase) {
    const [{ text } = { text: '' }] = phrase;
    return !(text === text.toLowerCase() && LOWER_CASE_WORDS.has(phraseKey(phrase)));
  }
  if (phrase.length === 1) return isSpelledLike(known.spelling, phrase[0]?.text ?? '');
  return phrase.every(({ isCapitalised, key }) => isCapitalised || SMALL_WORDS.has(key));
}

/**
 * Whether a text is capitalised like a spelling: "MIT" is not the German "mit". If the spelling is not all in capitals,
 * one capital in the text is enough. Letters and accents are not compared.
 */
function isSpelledLike(spelling: string, text: string): boolean {
  const isShouted = spelling.length > 1 && spelling === spelling.toUpperCase();
  return isShouted ? text === text.toUpperCase() : /\p{Lu}/u.test(text);
}

function phraseKey(tokens: readonly Token[]): string {
  return tokens.map(({ key }) => key).join(' ');
}
