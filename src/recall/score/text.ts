/** What a memory's text has to offer a question, in a form that takes little memory and no analysis to compare. */
import { stem, words } from '../../domain/text.js';
import { textHash } from '../../domain/text-hash.js';

export interface TextEvidence {
  /** Words of the content, repeats included. */
  length: number;
  /** Hashes of its distinct words, ascending, and behind them those of its distinct stems, ascending. */
  hashes: Float64Array;
  distinctWords: number;
  /** For each word in reading order its place among the distinct words, and behind that for each of these its stem's place. */
  places: Uint16Array | Uint32Array;
  /** Stems of each tag, in order. */
  tags: readonly (readonly string[])[];
  tagStems: ReadonlySet<string>;
  /** Stem of the first name of who says it, where it begins as a line of a transcript does: `Anna: `, `Anna Berg: `. */
  speaker?: string;
}

const LINE_OF_TRANSCRIPT = /^\s{0,8}(\p{Lu}[\p{L}'’-]{1,30})(?: \p{Lu}[\p{L}'’-]{1,30})?:\s/u;
const PLACES_OF_16_BITS = 0x1_0000;

export function readText(content: string, tags: readonly string[]): TextEvidence {
  const found = words(content);
  const distinct = byHash(new Set(found));
  const stems = byHash(new Set(distinct.texts.map(stem)));
  const ofText = found.map(word => distinct.placeOf(word));
  const ofWords = distinct.texts.map(word => stems.placeOf(stem(word)));
  const places = distinct.texts.length <= PLACES_OF_16_BITS ? Uint16Array : Uint32Array;
  const stemsOfTags = tags.map(tag => words(tag).map(stem));
  const [, name] = LINE_OF_TRANSCRIPT.exec(content) ?? [];
  const [speaker] = words(name ?? '').map(stem);
  return {
    length: found.length,
    hashes: Float64Array.from([...distinct.hashes, ...stems.hashes]),
    distinctWords: distinct.texts.length,
    places: places.from([...ofText, ...ofWords]),
    tags: stemsOfTags,
    tagStems: new Set(stemsOfTags.flat()),
    ...(speaker !== undefined && { speaker }),
  };
}

function byHash(texts: ReadonlySet<string>) {
  const entries = [...texts].map(text => ({ text, hash: textHash(text) })).sort((a, b) => a.hash - b.hash);
  const places = new Map(entries.map(({ text }, place) => [text, place]));
  return {
    texts: entries.map(({ text }) => text),
    hashes: entries.map(({ hash }) => hash),
    placeOf: (text: string) => places.get(text) ?? 0,
  };
}

/** @returns the hash of a word of the content; undefined beyond its ends */
export function wordAt({ hashes, length, places }: TextEvidence, at: number): number | undefined {
  return at >= 0 && at < length ? hashes[places[at] ?? 0] : undefined;
}

/** @param stemHash as `textHash` gives it */
export function hasStem({ hashes, distinctWords }: TextEvidence, stemHash: number): boolean {
  return placeIn(hashes, { from: distinctWords, to: hashes.length }, stemHash) >= 0;
}

/** Length of the longest run of these words, by their hashes, that stands in the content. */
export function longestRunOfWords(text: TextEvidence, sought: readonly number[]): number {
  const { hashes, distinctWords, length, places } = text;
  const wanted = sought.map(hash => placeIn(hashes, { from: 0, to: distinctWords }, hash));
  return longestRun(wanted, length, at => places[at] ?? 0);
}

/** The same with stems in place of words. */
export function longestRunOfStems(text: TextEvidence, sought: readonly number[]): number {
  const { hashes, distinctWords, length, places } = text;
  const wanted = sought.map(hash => placeIn(hashes, { from: distinctWords, to: hashes.length }, hash));
  return longestRun(wanted, length, at => places[length + (places[at] ?? 0)] ?? 0);
}

/** @returns the place of a hash among those from `from` up to `to`, counted from `from`; -1 where it is missing */
function placeIn(hashes: Float64Array, { from, to }: { from: number; to: number }, hash: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return low < to && hashes[low] === hash ? low - from : -1;
}

/** The same in a text that is given as it is. */
export function longestRunIn(stems: readonly string[], sought: readonly string[]): number {
  const wanted = sought.map(stem => stems.indexOf(stem));
  return longestRun(wanted, stems.length, at => stems.indexOf(stems[at] ?? ''));
}

/**
 * Length of the longest run of the needle that stands in a text: the longest common substring, over words.
 *
 * @param needle places of words; -1 for one that the text lacks
 * @param length of the text in words
 * @param placeAt the place of each word of the text
 */
function longestRun(needle: readonly number[], length: number, placeAt: (at: number) => number): number {
  const most = longestStretch(needle);
  // One word that the text has, and nothing beside it.
  if (most <= 1) return most;
  /** Behind each word of the needle, the length of the run that ends with it at the present word of the text. */
  const runs = new Uint16Array(needle.length + 1);
  let longest = 0;
  let isClear = true;
  for (let at = 0; at < length && longest < most; at++) {
    const place = placeAt(at);
    if (!needle.includes(place)) {
      if (!isClear) runs.fill(0);
      isClear = true;
      continue;
    }
    isClear = false;
    for (let index = needle.length - 1; index >= 0; index--) {
      const run = needle[index] === place ? (runs[index] ?? 0) + 1 : 0;
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
  for (const place of needle) {
    length = place === -1 ? 0 : length + 1;
    if (length > longest) longest = length;
  }
  return longest;
}
