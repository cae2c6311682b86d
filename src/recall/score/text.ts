/** The text of a memory in a compact form that can be compared with a question without further analysis. */

import { createRecent } from '../../domain/recent.js';
import { mayBeKept, STOP_WORDS, stem, words } from '../../domain/text.js';
import { textHash } from '../../domain/text-hash.js';

export interface TextEvidence {
  /** Number of words in the content, including repetitions. */
  length: number;
  /** Hashes of the distinct stems, ascending. */
  stems: Float64Array;
  /** The half hashes of all words in reading order, followed by the half hashes of their stems. */
  inOrder: Uint32Array;
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

export function readText(content: string, tags: readonly string[]): TextEvidence {
  const found = words(content);
  const { length } = found;
  const ofStems = new Float64Array(length);
  const inOrder = new Uint32Array(2 * length);
  for (let index = 0; index < length; index++) {
    const hashes = hashesOf(found[index] as string);
    ofStems[index] = hashes.ofStem;
    inOrder[index] = hashes.word;
    inOrder[length + index] = halfOf(hashes.ofStem);
  }
  const [, name] = LINE_OF_TRANSCRIPT.exec(content) ?? [];
  const [speaker] = words(name ?? '').map(stem);
  return {
    length,
    stems: ofStems.slice(0, moveDistinctToFront(ofStems.sort())),
    inOrder,
    tags: tags.map(stemsOfTag),
    isQuestion: QUESTION.test(content.slice(-QUESTION_END_LENGTH)),
    ...(speaker !== undefined && { speaker }),
  };
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

/** Moves the distinct values to the front, and returns their number. */
function moveDistinctToFront(ascending: Float64Array): number {
  let count = 0;
  for (let index = 0; index < ascending.length; index++) {
    const hash = ascending[index] as number;
    if (count === 0 || hash !== ascending[count - 1]) ascending[count++] = hash;
  }
  return count;
}

/** The lower half of a hash. This half suffices to distinguish the words of one text, and takes half the space. */
export function halfOf(hash: number): number {
  return hash >>> 0;
}

interface WordHashes {
  /** Half of the hash of the word. */
  word: number;
  ofStem: number;
}

/**
 * The hashes of words. They are cached, because texts share most of their words, and hashing and stemming a word costs
 * more than a lookup.
 */
const HASHES = new Map<string, WordHashes>();
const HASHES_KEPT = 30_000;

function hashesOf(word: string): WordHashes {
  const known = HASHES.get(word);
  if (known) return known;
  const found = { word: halfOf(textHash(word)), ofStem: textHash(stem(word)) };
  if (!mayBeKept(word)) return found;
  if (HASHES.size >= HASHES_KEPT) HASHES.clear();
  HASHES.set(word, found);
  return found;
}

let stopWords: ReadonlySet<number> | undefined;

/** The half hashes of the stems of all words of the content, except stop words. */
export function meaningfulStems({ length, inOrder }: TextEvidence): Set<number> {
  stopWords ??= new Set([...STOP_WORDS].map(word => halfOf(textHash(word))));
  const found = new Set<number>();
  for (let at = 0; at < length; at++) {
    if (!stopWords.has(inOrder[at] as number)) found.add(inOrder[length + at] as number);
  }
  return found;
}

/** @returns the half hash of the word at this position of the content; undefined outside the content */
export function wordAt({ length, inOrder }: TextEvidence, at: number): number | undefined {
  return at >= 0 && at < length ? inOrder[at] : undefined;
}

/** @param stemHash as returned by `textHash` */
export function hasStem({ stems }: TextEvidence, stemHash: number): boolean {
  return isAmong(stems, stemHash);
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
  /** The half hashes, in order. */
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
  const numbers = hashes.map(halfOf);
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
export function longestRunOfWords({ length, inOrder }: TextEvidence, sought: PreparedRun): number {
  return longestRun(sought, inOrder, { from: 0, to: length });
}

/** Length of the longest run of the sought stems in the content. */
export function longestRunOfStems({ length, inOrder }: TextEvidence, sought: PreparedRun): number {
  return longestRun(sought, inOrder, { from: length, to: 2 * length });
}

function isAmong(ascending: Float64Array, hash: number): boolean {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < hash) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === hash;
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
  /** For each place of the needle, the position in the text at which its latest run ends. */
  const endsAt = new Int32Array(numbers.length + 1).fill(-2);
  /** For each place of the needle, the length of that run. */
  const runs = new Int32Array(numbers.length + 1);
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
