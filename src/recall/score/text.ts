/** The text of a memory in a compact form that can be compared with a question without further analysis. */

import { createHash } from 'node:crypto';
import { createRecent } from '../../domain/collections.js';
import type { Memory } from '../../domain/memory.js';
import { searchedMetadata } from '../../domain/metadata.js';
import { tagKeys } from '../../domain/tags.js';
import { isEnglish, isEnglishByHash, stopWords } from '../../domain/text/language.js';
import { furtherTerms, stems } from '../../domain/text/terms.js';
import { lowerHalf, stem, textHash, upperHalf, words } from '../../domain/text/words.js';
import { hashAll, hashWords, isPlain, VALUES_PER_WORD } from './word-hashes.js';

export interface TextEvidence {
  /** Number of words in the content, including repetitions. */
  length: number;
  /** The hashes of all words and of their stems, as `hashWords` returns them. */
  hashes: Uint32Array;
  /** The lower and then the upper halves of the hashes of further terms. */
  further: Uint32Array;
  /** The same for the stems and further terms of the metadata. */
  metadata: Uint32Array;
  /** Equal for memories with the same text and tags, as `samenessOf` returns it. */
  sameness: string;
  /** Stems of each tag, in order. */
  tags: readonly (readonly string[])[];
  /** Whether the text ends with a question mark. */
  isQuestion: boolean;
  /** Stem of the speaker's first name, if the text begins like a line of a transcript: `Anna: `, `Anna Berg: `. */
  speaker?: string;
}

const LINE_OF_TRANSCRIPT = /^\s{0,8}(\p{Lu}[\p{L}'’-]{1,30})(?: \p{Lu}[\p{L}'’-]{1,30})?:\s/u;
/**
 * Matches a text that ends with a question mark. Punctuation and emoji may follow the mark, so the last
 * `QUESTION_END_LENGTH` characters are searched.
 */
const QUESTION = /[?？؟][^\p{L}\p{N}]{0,32}$/u;
const QUESTION_END_LENGTH = 32;

export function readText({ content, tags, metadata }: Pick<Memory, 'content' | 'tags' | 'metadata'>): TextEvidence {
  const known = isPlain(content) ? undefined : words(content);
  const hashes = known ? hashAll(known) : hashWords(content);
  const areEnglish = known ? isEnglish(known) : isEnglishByHash(hashes.subarray(0, hashes.length / VALUES_PER_WORD));
  const [, name] = LINE_OF_TRANSCRIPT.exec(content) ?? [];
  const [speaker] = words(name ?? '').map(stem);
  const length = hashes.length / VALUES_PER_WORD;
  const ofMetadata = searchedMetadata(metadata);
  return {
    length,
    hashes,
    further: hashTerms([...furtherTerms(content, areEnglish, known), ...furtherTerms(tags.join(' '), areEnglish)]),
    metadata: ofMetadata === '' ? NONE : hashTerms([...stems(ofMetadata), ...furtherTerms(ofMetadata, areEnglish)]),
    sameness: samenessOf(content, tags),
    tags: tags.map(stemsOfTag),
    isQuestion: QUESTION.test(content.slice(-QUESTION_END_LENGTH)),
    ...(speaker !== undefined && { speaker }),
  };
}

const NONE = new Uint32Array(0);

function hashTerms(terms: readonly string[]): Uint32Array {
  if (terms.length === 0) return NONE;
  const hashes = terms.map(textHash);
  return Uint32Array.from([...hashes.map(lowerHalf), ...hashes.map(upperHalf)]);
}

/** The stems of tags. They are cached, because texts share their tags. */
const STEMS_OF_TAGS = createRecent<readonly string[]>(20_000, () => 1);

function stemsOfTag(tag: string): readonly string[] {
  const known = STEMS_OF_TAGS.get(tag);
  if (known) return known;
  const found = words(tag).map(stem);
  STEMS_OF_TAGS.set(tag, found);
  return found;
}

let englishStopWords: ReadonlySet<number> | undefined;

/** The lower halves of the hashes of the stems of all words of the content, except stop words. */
export function meaningfulStems({ length, hashes }: TextEvidence): Set<number> {
  englishStopWords ??= new Set([...stopWords('en')].map(word => lowerHalf(textHash(word))));
  const found = new Set<number>();
  for (let at = 0; at < length; at++) {
    if (!englishStopWords.has(hashes[at] as number)) found.add(hashes[length + at] as number);
  }
  return found;
}

/** @param stemHash as returned by `textHash` */
export function hasStem({ length, hashes, further }: TextEvidence, stemHash: number): boolean {
  const [lower, upper] = [lowerHalf(stemHash), upperHalf(stemHash)];
  for (let at = length; at < 2 * length; at++) {
    if (hashes[at] === lower && hashes[length + at] === upper) return true;
  }
  const count = further.length / 2;
  for (let at = 0; at < count; at++) if (further[at] === lower && further[count + at] === upper) return true;
  return false;
}

/** Returns for each of the sought keys whether the content has it as a stem or as a further term. */
export function keysPresent({ length, hashes, further }: TextEvidence, sought: PreparedRun): boolean[] {
  const present = new Array<boolean>(sought.hashes.length).fill(false);
  mark(present, sought, { from: hashes, start: length, count: length });
  if (further.length > 0) mark(present, sought, { from: further, start: 0, count: further.length / 2 });
  return present;
}

/** Returns for each of the sought keys whether the metadata has it. Undefined without metadata that are searched. */
export function keysInMetadata({ metadata }: TextEvidence, sought: PreparedRun): boolean[] | undefined {
  if (metadata.length === 0) return undefined;
  const present = new Array<boolean>(sought.hashes.length).fill(false);
  mark(present, sought, { from: metadata, start: 0, count: metadata.length / 2 });
  return present;
}

/** Marks the sought hashes among `count` lower halves, which the upper halves follow. */
function mark(
  present: boolean[],
  { hashes: sought, places: { last, lower } }: PreparedRun,
  { from, start, count }: { from: Uint32Array; start: number; count: number },
): void {
  for (let at = start; at < start + count; at++) {
    const number = from[at] as number;
    for (let place = last[number & (LISTS - 1)] as number; place > 0; place = lower[place] as number) {
      const hash = sought[place - 1] as number;
      if (lowerHalf(hash) === number && upperHalf(hash) === from[count + at]) present[place - 1] = true;
    }
  }
}

/** Whether one of the tags has the stem. */
export function hasTagStem({ tags }: TextEvidence, sought: string): boolean {
  for (const stemsOfOne of tags) if (stemsOfOne.includes(sought)) return true;
  return false;
}

/** A sequence of words or stems to search for. */
export interface PreparedRun {
  /** Hashes as returned by `textHash`, in order. */
  hashes: readonly number[];
  /** The lower halves of the hashes, in order. */
  numbers: readonly number[];
  places: Places;
}

/**
 * The places of the numbers of a sequence. They are in 256 linked lists, by the lowest byte of the number, so that a
 * word of a text is compared with few words of the question. Places are numbered from 1, and 0 ends a list.
 */
interface Places {
  /** The last place of each list. */
  last: Int32Array;
  /** For each place, the next lower place in the same list. */
  lower: Int32Array;
}

const LISTS = 256;

/** @param hashes as returned by `textHash`, in order */
export function prepareRun(hashes: readonly number[]): PreparedRun {
  const numbers = hashes.map(lowerHalf);
  return { hashes, numbers, places: placesOf(numbers) };
}

function placesOf(numbers: readonly number[]): Places {
  const last = new Int32Array(LISTS);
  const lower = new Int32Array(numbers.length + 1);
  for (const [index, number] of numbers.entries()) {
    const list = number & (LISTS - 1);
    lower[index + 1] = last[list] as number;
    last[list] = index + 1;
  }
  return { last, lower };
}

/** Length of the longest run of the sought words in the content. */
export function longestRunOfWords({ length, hashes }: TextEvidence, sought: PreparedRun): number {
  return longestRun(sought, hashes, { from: 0, to: length });
}

/** Length of the longest run of the sought stems in the content. */
export function longestRunOfStems({ length, hashes }: TextEvidence, sought: PreparedRun): number {
  return longestRun(sought, hashes, { from: length, to: 2 * length });
}

/** Length of the longest run of the sought stems in a list of stems. */
export function longestRunIn(stems: readonly string[], sought: readonly string[]): number {
  const numbers = sought.map(each => stems.indexOf(each));
  return longestRun(
    { numbers, places: placesOf(numbers) },
    stems.map(each => stems.indexOf(each)),
    { from: 0, to: stems.length },
  );
}

// `longestRun` uses these lists for all its calls, because making them would take longer than searching a short text.
/** For each place of the needle, the position in the text at which its latest run ends. */
let endsAt = new Int32Array(64);
/** For each place of the needle, the length of that run. */
let runs = new Int32Array(64);

/**
 * Length of the longest run of the needle in a text: the longest common substring, with words instead of characters.
 *
 * @param needle a number for each word, and the places of these numbers
 * @param text a number for each word; only the part from `from` to before `to` is searched
 */
function longestRun(
  { numbers, places }: Pick<PreparedRun, 'numbers' | 'places'>,
  text: Uint32Array | readonly number[],
  { from, to }: { from: number; to: number },
): number {
  const { last, lower } = places;
  if (endsAt.length <= numbers.length) {
    endsAt = new Int32Array(2 * numbers.length + 1);
    runs = new Int32Array(endsAt.length);
  }
  endsAt.fill(-2, 0, numbers.length + 1);
  let longest = 0;
  for (let at = from; at < to && longest < numbers.length; at++) {
    const number = text[at] as number;
    // A list goes from the last place to the first. So the entry of `place - 1` has not been overwritten at `at` yet.
    for (let place = last[number & (LISTS - 1)] as number; place > 0; place = lower[place] as number) {
      if (numbers[place - 1] !== number) continue;
      const run = endsAt[place - 1] === at - 1 ? (runs[place - 1] as number) + 1 : 1;
      endsAt[place] = at;
      runs[place] = run;
      if (run > longest) longest = run;
    }
  }
  return longest;
}

/**
 * Punctuation at the end of a sentence or clause. Other symbols are kept, because they distinguish texts: `C` from
 * `C#`, and `a < b` from `a > b`.
 */
const PUNCTUATION = /(?<=[\p{L}\p{N}])[.,;:!…]+(?=\s|$)/gu;

/**
 * A hash of the normalized content and tags. It is equal for memories whose contents differ at most in case, spacing and
 * punctuation, and whose tags have the same keys.
 */
function samenessOf(content: string, tags: readonly string[]): string {
  const text = content.toLowerCase().replace(PUNCTUATION, '').replace(/\s+/g, ' ');
  const whole = JSON.stringify([text, tagKeys(tags).sort()]);
  return createHash('sha256').update(whole).digest('base64');
}
