/**
 * Splits texts into words, stems and terms. The full-text index, the hash embedder and the keyword score all use this
 * module, so they find the same terms with every store.
 */
import { stemmer } from 'stemmer';
import { baseForm } from './irregular-forms.js';
import { wordRuns } from './word-runs.js';

/** Increases with every change of the words or stems of a text. Stores then analyze their memories again. */
export const ANALYZER_VERSION = 2;

const APOSTROPHE_S = /['’]s\b/g;
const APOSTROPHES = /['’]/g;
/** Maximum length of a word. A longer word is usually data, and its beginning is enough to find it. */
export const WORD_MAX_LENGTH = 64;
const HALF_A_CHARACTER = /[\ud800-\udbff]$/;
/**
 * A piece of text for the segmenter. The pieces are short, because the segmenter takes quadratic time, but longer than
 * nearly all sentences.
 */
const SEGMENTED_PIECE = /.{1,500}/gu;
/** Accents on Latin, Greek and Cyrillic letters. Marks of other scripts carry meaning and are kept. */
const ACCENT = /[\u0300-\u036f]/g;
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** The name of a language such as C++ or F#. */
const LETTER_WITH_SIGNS = /(?<![\p{L}\p{N}])(\p{L})(?:(\+\+)|#)(?![\p{L}\p{N}])/gu;
/** A version, an address or a decimal number. */
const DOTTED_NUMBER = /(?<![\p{L}\p{N}])v?(\d+(?:\.\d+)+)/giu;
/** A letter that looks like a dot, so that a dotted number remains one word. */
const DOT_LETTER = '\ua78f';
const CASE_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const INNER_CAPITAL = /.\p{Lu}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, control characters included
const NOT_ASCII = /[^\x00-\x7f]/;
const STEMMABLE = /^[a-z]+$/;
const STEMMABLE_MIN_LENGTH = 3;

/** English words that carry no information about the topic of a text. */
export const STOP_WORDS = new Set(
  `a about am an and any are as at be been being but by can could did do does doing for from had has have having he her
  hers him his how i if in into is it its me my no nor not of on or our ours over she should so some such than that the
  their theirs them then there these they this those to too us was we were what when where which while who whom whose
  why will with would you your yours`.split(/\s+/),
);

/** The cached stems of words. A language has few words, and stemming costs more than a lookup. */
const STEMS = new Map<string, string>();
const STEMS_KEPT = 50_000;

let segmenter: Intl.Segmenter | undefined;

/**
 * Splits text into words in lower case without accents or possessives: "Zoë's parseJSON" gives `zoe`, `parsejson`,
 * `parse`, `json`. A camel-case name and a dotted number yield themselves and their parts, C++ and C# yield `cpp` and
 * `csharp`. Scripts without spaces are segmented by dictionary.
 */
export function words(text: string): string[] {
  const found: string[] = [];
  const plain = withUnits(withoutAccents(text)).replace(APOSTROPHE_S, '').replace(APOSTROPHES, '');
  const { runs, arePlain } = wordRuns(plain);
  const isSomeUnspaced = !arePlain && UNSPACED_SCRIPT.test(plain);
  for (const run of runs) {
    if (isSomeUnspaced && UNSPACED_SCRIPT.test(run)) {
      for (const part of segment(run)) found.push(toWord(part));
      continue;
    }
    const word = toWord(run);
    found.push(word);
    if (word !== run && INNER_CAPITAL.test(run)) found.push(...camelCaseParts(run));
  }
  return found;
}

const HAS_UNITS = /\d\.\d|[A-Za-z](?:\+\+|#)/;

/** Whether `words` treats characters other than letters and digits as parts of words. */
export function hasUnits(text: string): boolean {
  return HAS_UNITS.test(text);
}

function withUnits(text: string): string {
  if (!hasUnits(text)) return text;
  return text
    .replace(LETTER_WITH_SIGNS, (_, letter: string, plus?: string) => `${letter}${plus ? 'pp' : 'sharp'}`)
    .replace(DOTTED_NUMBER, (whole, number: string) => `${number.replaceAll('.', DOT_LETTER)} ${whole}`);
}

/** The parts of a camel-case word. Empty when the word has only one part. */
function camelCaseParts(run: string): string[] {
  const parts = run.split(CASE_BOUNDARY);
  return parts.length > 1 ? parts.map(toWord) : [];
}

function toWord(run: string): string {
  const lower = run.toLowerCase();
  return lower.length <= WORD_MAX_LENGTH ? lower : lower.slice(0, WORD_MAX_LENGTH).replace(HALF_A_CHARACTER, '');
}

function withoutAccents(text: string): string {
  return NOT_ASCII.test(text) ? text.normalize('NFKD').replace(ACCENT, '').normalize('NFC') : text;
}

/** The stem under which a word (as returned by `words`) is indexed and compared. */
export function stem(word: string): string {
  if (word.length < STEMMABLE_MIN_LENGTH || !endsInPlainLetter(word)) return word;
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  const found = STEMMABLE.test(word) ? stemmer(baseForm(word)) : word;
  if (!mayBeKept(word)) return found;
  if (STEMS.size >= STEMS_KEPT) STEMS.clear();
  STEMS.set(word, found);
  return found;
}

/**
 * Whether a word is short enough to be a key of a cache. V8 represents a longer substring as a slice, which keeps the
 * whole text in memory.
 */
export function mayBeKept(word: string): boolean {
  return word.length <= COPIED_MAX_LENGTH;
}

/** V8 copies substrings up to this length (`SlicedString::kMinLength` is one more). */
const COPIED_MAX_LENGTH = 12;

/**
 * Whether a word ends with a letter from a to z. Words with other endings are never stemmed, so they need no place in
 * the cache.
 */
function endsInPlainLetter(word: string): boolean {
  const code = word.charCodeAt(word.length - 1);
  return code >= 0x61 && code <= 0x7a;
}

/**
 * The number of Unicode code points, which is close to the number of characters that a person counts
 * (docs/decisions.md, "Content length").
 */
export function characterCount(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if (isLowHalf(text.charCodeAt(index)) && isHighHalf(text.charCodeAt(index - 1))) count -= 1;
  }
  return count;
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** The stems of a text in reading order, including repetitions. */
export function stems(text: string): string[] {
  return words(text).map(stem);
}

/** The beginning of a text, with at most `characters` code points. Never splits a character. */
export function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = 0;
  for (let taken = 0; taken < characters && end < text.length; taken++) {
    end += isHighHalf(text.charCodeAt(end)) && isLowHalf(text.charCodeAt(end + 1)) ? 2 : 1;
  }
  return text.slice(0, end);
}

/** The distinct stems of a query, in order. Stop words are left out unless the query contains only stop words. */
export function queryTerms(query: string): string[] {
  const all = words(query);
  const meaningful = all.filter(word => !isStopWord(word));
  return [...new Set((meaningful.length > 0 ? meaningful : all).map(stem))];
}

function segment(run: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const found: string[] = [];
  for (const piece of run.match(SEGMENTED_PIECE) ?? []) {
    for (const part of segmenter.segment(piece)) if (part.isWordLike) found.push(part.segment);
  }
  return found;
}
