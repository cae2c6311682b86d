/**
 * Measures how recall treats two notes about the same subject: which is ranked first, and whether one is marked as
 * outdated.
 */
import type { RecalledMemory, RecallOutcome } from '../../src/domain/recall.js';
import { type MemoryPair, newerOf, olderOf } from './memory-pair.js';
import type { Asked } from './stored-memories.js';

const PLACES = 10;

export interface PairFigures {
  pairs: number;
  /** Number of pairs with both notes among the first ten results. */
  bothShown: number;
  newerFirst: number;
  /** Number of pairs whose older note is marked as outdated by the newer one. */
  marked: number;
  /** Number of pairs whose newer note is marked as outdated by the older one. */
  markedBackwards: number;
  /** Names of the pairs in which one note is marked as outdated by the other. */
  namesMarked: string[];
  /** Names of the pairs in which the older note is ranked first, or the newer one is missing. */
  namesOlderFirst: string[];
}

export async function measurePairs(asked: Asked, pairs: readonly MemoryPair[]): Promise<PairFigures> {
  const found: (ReturnType<typeof seenIn> & { name: string })[] = [];
  for (const pair of pairs) found.push({ name: pair.name, ...seenIn(await shown(asked, pair), pair, asked) });
  const count = (is: (each: (typeof found)[number]) => boolean) => found.filter(is).length;
  return {
    pairs: pairs.length,
    bothShown: count(({ isBothShown }) => isBothShown),
    newerFirst: count(({ isNewerFirst }) => isNewerFirst),
    marked: count(({ isOlderMarked }) => isOlderMarked),
    markedBackwards: count(({ isNewerMarked }) => isNewerMarked),
    namesMarked: found.filter(each => each.isOlderMarked || each.isNewerMarked).map(({ name }) => name),
    namesOlderFirst: found.filter(({ isNewerFirst }) => !isNewerFirst).map(({ name }) => name),
  };
}

const shown = (asked: Asked, { ask }: MemoryPair) => asked.ask({ query: ask, limit: PLACES });

function seenIn({ results }: RecallOutcome, pair: MemoryPair, { nameOf }: Asked) {
  const names = results.map(({ memory }) => nameOf(memory.id));
  const [older, newer] = [olderOf(pair), newerOf(pair)];
  const placeOf = (name: string) => (names.includes(name) ? names.indexOf(name) : Infinity);
  const marks = marksIn(results, nameOf);
  return {
    isBothShown: names.includes(older) && names.includes(newer),
    isNewerFirst: placeOf(newer) < placeOf(older),
    isOlderMarked: marks.get(older) === newer,
    isNewerMarked: marks.get(newer) === older,
  };
}

/** Maps the name of each result that is marked as outdated to the name of the memory that may replace it. */
export function marksIn(results: readonly RecalledMemory[], nameOf: Asked['nameOf']): Map<string, string> {
  const marks = new Map<string, string>();
  for (const result of results) {
    const { memory, maybeOutdatedBy } = result;
    if (maybeOutdatedBy) marks.set(nameOf(memory.id), nameOf(maybeOutdatedBy.id));
  }
  return marks;
}
