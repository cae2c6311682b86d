/**
 * Divides memories into groups by the method of Louvain (Blondel and others, "Fast Unfolding of Communities", 2008). The
 * same memories always give the same groups.
 */
import { findCommunities } from '../../packages/graphology.js';
import { placesByNumber, type Rows, rowAt, rowCount } from '../rows.js';
import { type Compared, createAlike } from './compared.js';

type Traits = Pick<Compared, 'traits' | 'weights' | 'frequencies'>;

/** The data from which groups are found. It contains only numbers, so that a thread can receive it. */
export interface GroupingData extends Traits {
  /** For each memory, the positions of the memories that are nearest to it. */
  nearest: Rows;
  /** Closeness of the vectors in the order of `nearest.values`, 0..1. */
  closeness: Float32Array;
}

/** Pairs of memories that may belong together. */
interface Pairs {
  from: Int32Array;
  to: Int32Array;
  closeness: Float32Array;
}

/**
 * If there are more memories than this number, the connections expected by chance are computed as for this number of
 * memories. Otherwise groups would grow with the number of memories, and each group would contain several subjects
 * (Fortunato and Barthélemy, "Resolution Limit in Community Detection", 2007).
 */
const MEMORIES_OF_CHANCE = 500;
/** A memory belongs to its group if this share of the evidence of its pairs lies within the group. */
const WITHIN_MIN = 0.6;
const MEMBERS_MIN = 3;
/**
 * Pairs that are added to the counted pairs of a trait: this many pairs within one group, and twice as many pairs in
 * total. So the concentration of a trait with few pairs is near one half.
 */
const PRIOR_PAIRS = 2;

/**
 * Finds the groups twice. The second time, a trait that is spread over many of the first groups, such as a general tag,
 * counts less. Yields before each part of the work that takes long.
 *
 * @returns the group of each memory, or -1 for a memory without a group
 */
export function* findGroups(data: GroupingData): Generator<undefined, Int32Array> {
  const pairs = pairsOf(data);
  const memoryCount = rowCount(data.traits);
  yield;
  const first = communitiesIn(memoryCount, pairs, evidenceOf(pairs, data));
  yield;
  const concentration = concentrationOf(data, first);
  const weights = data.weights.map((weight, trait) => weight * (concentration[trait] as number));
  const evidence = evidenceOf(pairs, { ...data, weights });
  return withoutSmall(withoutLoose(communitiesIn(memoryCount, pairs, evidence), pairs, evidence));
}

/** Returns each pair once, even if each of its memories is near to the other. */
function pairsOf({ nearest, closeness }: GroupingData): Pairs {
  const size = nearest.values.length;
  const pairs = { from: new Int32Array(size), to: new Int32Array(size), closeness: new Float32Array(size) };
  let count = 0;
  for (let from = 0; from < rowCount(nearest); from++) {
    for (const [offset, to] of rowAt(nearest, from).entries()) {
      if (to < from && rowAt(nearest, to).includes(from)) continue;
      pairs.from[count] = from;
      pairs.to[count] = to;
      pairs.closeness[count] = closeness[(nearest.starts[from] as number) + offset] as number;
      count += 1;
    }
  }
  return {
    from: pairs.from.subarray(0, count),
    to: pairs.to.subarray(0, count),
    closeness: pairs.closeness.subarray(0, count),
  };
}

function communitiesIn(memoryCount: number, { from, to }: Pairs, weights: Float64Array): Int32Array {
  return findCommunities(memoryCount, { from, to, weights }, Math.max(1, memoryCount / MEMORIES_OF_CHANCE));
}

/** Returns the evidence that the two memories of each pair belong together: the mean of closeness and likeness. */
function evidenceOf({ from, to, closeness }: Pairs, traits: Traits): Float64Array {
  const { likeness } = createAlike(traits);
  return Float64Array.from(closeness, (close, pair) => {
    return (close + likeness(from[pair] as number, to[pair] as number)) / 2;
  });
}

/** Returns, for each trait, the probability that two of the memories that have it are in one group. */
function concentrationOf({ traits, frequencies }: GroupingData, groupOf: Int32Array): Float64Array {
  const pairs = new Float64Array(frequencies.length);
  const members = placesByNumber(groupOf, groupOf.length);
  for (let group = 0; group < rowCount(members); group++) {
    const counts = new Map<number, number>();
    for (const place of rowAt(members, group)) {
      for (const trait of rowAt(traits, place)) counts.set(trait, (counts.get(trait) ?? 0) + 1);
    }
    for (const [trait, count] of counts) pairs[trait] = (pairs[trait] as number) + count * (count - 1);
  }
  return pairs.map((inOneGroup, trait) => {
    const frequency = frequencies[trait] as number;
    if (frequency < 2) return 1;
    return (inOneGroup + PRIOR_PAIRS) / (frequency * (frequency - 1) + 2 * PRIOR_PAIRS);
  });
}

/** Removes memories from groups to which they are only loosely connected. */
function withoutLoose(groupOf: Int32Array, { from, to }: Pairs, evidence: Float64Array): Int32Array {
  const all = new Float64Array(groupOf.length);
  const within = new Float64Array(groupOf.length);
  for (const [pair, weight] of evidence.entries()) {
    const ends = [from[pair] as number, to[pair] as number] as const;
    for (const end of ends) all[end] = (all[end] as number) + weight;
    if (groupOf[ends[0]] !== groupOf[ends[1]]) continue;
    for (const end of ends) within[end] = (within[end] as number) + weight;
  }
  return groupOf.map((group, place) => ((within[place] as number) < WITHIN_MIN * (all[place] as number) ? -1 : group));
}

function withoutSmall(groupOf: Int32Array): Int32Array {
  const members = placesByNumber(groupOf, groupOf.length);
  return groupOf.map(group => (group >= 0 && rowAt(members, group).length >= MEMBERS_MIN ? group : -1));
}
