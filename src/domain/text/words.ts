/**
 * Splits texts into words and finds their stems. The full-text index, the hash embedder and the scores all use this
 * module, so they find the same terms with every store. What a word becomes never depends on the language of the text.
 */

import { stemmer } from 'stemmer';
import { eachRun, KIND, type Run } from './characters.js';
import { fold } from './fold.js';
import FORMS from './irregular-forms.json' with { type: 'json' };

/** Maximum length of a word. A longer word is usually data, and its beginning is enough to find it. */
export const WORD_MAX_LENGTH = 64;
const HALF_A_CHARACTER = /[\ud800-\udbff]$/;
/**
 * A piece of text for the segmenter. The pieces are short, because the segmenter takes quadratic time, but longer than
 * nearly all sentences.
 */
const SEGMENTED_PIECE = /.{1,500}/gu;
/** The name of a language such as C++ or F#. */
const LETTER_WITH_SIGNS = /(?<![\p{L}\p{N}])(\p{L})(?:(\+\+)|#)(?![\p{L}\p{N}])/gu;
const DOT_NET = /(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/giu;
/** A version, an address or a decimal number. */
const DOTTED_NUMBER = /(?<![\p{L}\p{N}])v?(\d+(?:\.\d+)+)/giu;
/** A letter that looks like a dot, so that a dotted number remains one word. */
export const DOT_LETTER = '\ua78f';
const HAS_UNITS = /\d\.\d|[A-Za-z](?:\+\+|#)|\.net/i;
const CASE_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const INNER_CAPITAL = /.\p{Lu}/u;
/** "python3" is also the words "python" and "3". */
const NAME_WITH_NUMBER = /^(\p{L}{2,})(\d{1,4})$/u;
const STEMMABLE = /^[a-z]{3,}$/;

/** The cached stems of words. A language has few words, and stemming costs more than a lookup. */
const STEMS = new Map<string, string>();
const STEMS_KEPT = 50_000;

let segmenter: Intl.Segmenter | undefined;

/**
 * Splits text into folded words in lower case without possessives: "Zoë's parseJSON" gives `zoe`, `parsejson`, `parse`,
 * `json`. A camel-case name, a name with a number and a dotted number yield themselves and their parts, C++ and C# yield
 * `cpp` and `csharp`. A word ends where the script changes. Han characters and kana yield pairs: 報告書 gives 報告 and 告書.
 * Other scripts without spaces are segmented by dictionary.
 */
export function words(text: string): string[] {
  return split(text, addPairs);
}

/** The same, but Han characters and kana are segmented by dictionary too, which takes ten times as long. */
export function dictionaryWords(text: string): string[] {
  return split(text, addSegments);
}

function split(text: string, addHan: (found: string[], run: string) => void): string[] {
  const found: string[] = [];
  if (text === '') return found;
  const plain = withoutApostrophes(withUnits(fold(text)));
  eachRun(plain, run => {
    const part = plain.slice(run.start, run.end);
    if (run.kind === KIND.han || run.kind === KIND.kana) addHan(found, part);
    else if (run.kind === KIND.unspaced) addSegments(found, part);
    else addWord(found, part, run);
  });
  return found;
}

function addWord(found: string[], part: string, { kind, hasInnerCapital }: Run): void {
  const word = toWord(part);
  found.push(word);
  if (hasInnerCapital || (kind > KIND.latin && word !== part && INNER_CAPITAL.test(part))) {
    const parts = part.split(CASE_BOUNDARY);
    if (parts.length > 1) for (const each of parts) found.push(toWord(each));
  }
  if (!endsInDigit(word)) return;
  const [, name, number] = NAME_WITH_NUMBER.exec(word) ?? [];
  if (name !== undefined && number !== undefined) found.push(name, number);
}

function addPairs(found: string[], run: string): void {
  for (const pair of pairsIn(run)) found.push(pair);
}

/** The pairs of neighboring characters, or a single character. */
export function pairsIn(run: string): string[] {
  const characters = [...run];
  return characters.length === 1 ? [run] : characters.slice(1).map((character, at) => characters[at] + character);
}

function endsInDigit(word: string): boolean {
  const code = word.charCodeAt(word.length - 1);
  return code >= 0x30 && code <= 0x39;
}

function withUnits(text: string): string {
  if (!HAS_UNITS.test(text)) return text;
  return text
    .replace(LETTER_WITH_SIGNS, (_, letter: string, plus?: string) => `${letter}${plus ? 'pp' : 'sharp'}`)
    .replace(DOT_NET, ' dotnet net')
    .replace(DOTTED_NUMBER, (whole, number: string) => `${number.replaceAll('.', DOT_LETTER)} ${whole}`);
}

function toWord(run: string): string {
  // JavaScript gives a sigma at the end of a word its other form.
  const small = run.toLowerCase();
  const lower = small.endsWith('ς') ? `${small.slice(0, -1)}σ` : small;
  return lower.length <= WORD_MAX_LENGTH ? lower : lower.slice(0, WORD_MAX_LENGTH).replace(HALF_A_CHARACTER, '');
}

function addSegments(found: string[], run: string): void {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  for (const piece of run.match(SEGMENTED_PIECE) ?? []) {
    for (const part of segmenter.segment(piece)) if (part.isWordLike) found.push(toWord(part.segment));
  }
}

/** The stem under which a word (as returned by `words`) is indexed and compared. Other than English words are kept. */
export function stem(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  if (!STEMMABLE.test(word)) return word;
  const found = stemmer(baseForm(word));
  if (word.length > COPIED_MAX_LENGTH) return found;
  if (STEMS.size >= STEMS_KEPT) STEMS.clear();
  STEMS.set(word, found);
  return found;
}

/**
 * V8 copies substrings up to this length (`SlicedString::kMinLength` is one more). A longer one, as a key of the cache,
 * would keep the whole text in memory.
 */
const COPIED_MAX_LENGTH = 12;

const APOSTROPHES = /['’]/g;
/**
 * An article or pronoun of French, Italian or Catalan without its vowel: "l’équipe", "dell’anno", "qu’il". A vowel is
 * lost only before another one, or before a silent h.
 */
const ELIDED =
  /(?<![\p{L}\p{N}])(?:[cdjlmnst]|(?:jus|lors|puis)?qu|(?:a|be|co|da|de|ne|que|su)?ll|gl|un|quest)['’](?=[aeiouyh])/giu;
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/giu;
/** Between Latin letters, but neither in an English contraction nor in "o’clock". */
const BETWEEN_WORDS =
  /(?<=\p{Script=Latin})(?<!(?<![\p{L}\p{N}])o)['’](?=\p{Script=Latin})(?!(?:t|ll|ve|re|d|m)(?![\p{L}\p{N}]))/giu;

/**
 * The text without apostrophes. A possessive "'s" and an elided word are left out, a contraction becomes one word, and
 * "GitHub'da" becomes two. Between other letters than Latin ones, an apostrophe belongs to the word.
 */
function withoutApostrophes(text: string): string {
  if (text.search(APOSTROPHES) < 0) return text;
  return text.replace(ELIDED, '').replace(POSSESSIVE, '').replace(BETWEEN_WORDS, ' ').replace(APOSTROPHES, '');
}

const BASE_BY_FORM: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMS).flatMap(([base, forms]) => forms.map((form): [string, string] => [form, base])),
);

/** The base form of an irregular form. Any other word is returned unchanged. */
export function baseForm(word: string): string {
  return BASE_BY_FORM.get(word) ?? word;
}

/**
 * A hash of 32 bits, which suffice to tell the words of a text from those of some hundred others (Fowler, Noll and Vo,
 * "FNV-1a").
 */
export function wordHash(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
}
