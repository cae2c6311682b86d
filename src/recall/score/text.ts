/** What a memory's text has to offer a question, in a form that takes little memory and no analysis to compare. */
import { stem, words } from '../../domain/text.js';
import { textHash } from '../../domain/text-hash.js';

export interface TextEvidence {
  /** Words of the content, repeats included. */
  length: number;
  /** Hashes of its distinct stems, ascending. */
  stems: Float64Array;
  /** Halves of the hashes of its distinct words, ascending. */
  words: Uint32Array;
  /** The same half for each word in reading order, and behind all of these for the stem of each. */
  inOrder: Uint32Array;
  /** Stems of each tag, in order. */
  tags: readonly (readonly string[])[];
  tagStems: ReadonlySet<string>;
  /** Stem of the first name of who says it, where it begins as a line of a transcript does: `Anna: `, `Anna Berg: `. */
  speaker?: string;
}

const LINE_OF_TRANSCRIPT = /^\s{0,8}(\p{Lu}[\p{L}'’-]{1,30})(?: \p{Lu}[\p{L}'’-]{1,30})?:\s/u;

export function readText(content: string, tags: readonly string[]): TextEvidence {
  const found = words(content);
  const { length } = found;
  const ofWords = new Uint32Array(length);
  const ofStems = new Float64Array(length);
  const inOrder = new Uint32Array(2 * length);
  for (let index = 0; index < length; index++) {
    const hashes = hashesOf(found[index] as string);
    ofWords[index] = hashes.word;
    ofStems[index] = hashes.ofStem;
    inOrder[index] = hashes.word;
    inOrder[length + index] = halfOf(hashes.ofStem);
  }
  const stemsOfTags = tags.map(tag => words(tag).map(stem));
  const [, name] = LINE_OF_TRANSCRIPT.exec(content) ?? [];
  const [speaker] = words(name ?? '').map(stem);
  return {
    length,
    stems: ofStems.slice(0, moveDistinctToFront(ofStems.sort())),
    words: ofWords.slice(0, moveDistinctToFront(ofWords.sort())),
    inOrder,
    tags: stemsOfTags,
    tagStems: new Set(stemsOfTags.flat()),
    ...(speaker !== undefined && { speaker }),
  };
}

/** @returns how many are distinct */
function moveDistinctToFront(ascending: Float64Array | Uint32Array): number {
  let count = 0;
  for (let index = 0; index < ascending.length; index++) {
    const hash = ascending[index] as number;
    if (count === 0 || hash !== ascending[count - 1]) ascending[count++] = hash;
  }
  return count;
}

/** The lower half of a hash: enough to tell the words of one text apart, in half the memory. */
export function halfOf(hash: number): number {
  return hash >>> 0;
}

interface WordHashes {
  /** Half of the hash. */
  word: number;
  ofStem: number;
}

/** A memo: texts share most of their words, and to hash and stem one costs more than to look it up. */
const HASHES = new Map<string, WordHashes>();
const HASHES_KEPT = 30_000;

function hashesOf(word: string): WordHashes {
  const known = HASHES.get(word);
  if (known) return known;
  const found = { word: halfOf(textHash(word)), ofStem: textHash(stem(word)) };
  if (HASHES.size >= HASHES_KEPT) HASHES.clear();
  HASHES.set(word, found);
  return found;
}

/** @returns half of the hash of a word of the content; undefined beyond its ends */
export function wordAt({ length, inOrder }: TextEvidence, at: number): number | undefined {
  return at >= 0 && at < length ? inOrder[at] : undefined;
}

/** @param stemHash as `textHash` gives it */
export function hasStem({ stems }: TextEvidence, stemHash: number): boolean {
  return isAmong(stems, stemHash);
}

/** Length of the longest run of these words, by halves of their hashes, that stands in the content. */
export function longestRunOfWords({ words, length, inOrder }: TextEvidence, sought: readonly number[]): number {
  const wanted = sought.map(half => (isAmong(words, half) ? half : MISSING));
  return longestRun(wanted, length, at => inOrder[at] as number);
}

/** The same with stems in place of words, by their whole hashes. */
export function longestRunOfStems({ stems, length, inOrder }: TextEvidence, sought: readonly number[]): number {
  const wanted = sought.map(hash => (isAmong(stems, hash) ? halfOf(hash) : MISSING));
  return longestRun(wanted, length, at => inOrder[length + at] as number);
}

/** Stands for a word that the text lacks; a hash is never negative. */
const MISSING = -1;

function isAmong(ascending: Float64Array | Uint32Array, hash: number): boolean {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < hash) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === hash;
}

/** The same in a text that is given as it is. */
export function longestRunIn(stems: readonly string[], sought: readonly string[]): number {
  const wanted = sought.map(stem => stems.indexOf(stem));
  return longestRun(wanted, stems.length, at => stems.indexOf(stems[at] ?? ''));
}

/**
 * Length of the longest run of the needle that stands in a text: the longest common substring, over words.
 *
 * @param needle a number for each word; `MISSING` for one that the text lacks
 * @param length of the text in words
 * @param numberAt the number of each word of the text
 */
function longestRun(needle: readonly number[], length: number, numberAt: (at: number) => number): number {
  const most = longestStretch(needle);
  // One word that the text has, and nothing beside it.
  if (most <= 1) return most;
  /** Behind each word of the needle, the length of the run that ends with it at the present word of the text. */
  const runs = new Uint16Array(needle.length + 1);
  let longest = 0;
  let isClear = true;
  for (let at = 0; at < length && longest < most; at++) {
    const number = numberAt(at);
    if (!needle.includes(number)) {
      if (!isClear) runs.fill(0);
      isClear = true;
      continue;
    }
    isClear = false;
    for (let index = needle.length - 1; index >= 0; index--) {
      const run = needle[index] === number ? (runs[index] ?? 0) + 1 : 0;
      runs[index + 1] = run;
      if (run > longest) longest = run;
    }
  }
  return longest;
}

/** Length of the longest stretch of words that the text has: no run is longer. */
function longestStretch(needle: readonly number[]): number {
  let longest = 0;
  let length = 0;
  for (const number of needle) {
    length = number === MISSING ? 0 : length + 1;
    if (length > longest) longest = length;
  }
  return longest;
}
