/** Sums the traits of the members of each group, and measures how well the traits of a memory fit a group. */
import { eachInSteps } from '../in-steps.js';
import { type Rows, rowAt, rowCount } from '../rows.js';
import type { Compared } from './compared.js';
import { createSums, type Sums } from './sums.js';

/**
 * Pairs that are added to the counted pairs of a trait: this many pairs within one group, and twice as many pairs in
 * total. So the concentration of a trait with few pairs is near one half.
 */
const PRIOR_PAIRS = 2;

export interface WeighedTraits {
  /** Positions of the traits of the memory. */
  traits: Int32Array;
  /** Weights in the order of `traits`, scaled to a vector of unit length. */
  weights: Float64Array;
}

export interface TraitProfiles {
  /** Returns the weighted traits of a memory; they are valid until the next call. */
  weigh(place: number): WeighedTraits;
  /**
   * Returns the cosine between the group and the memory, 0..1. For a member of the group, the member's own
   * contribution is left out.
   */
  fit(group: number, own: WeighedTraits, isMember: boolean): number;
}

/** For each group, the summed weights of the traits of all its members. */
interface TraitSums {
  traits: Rows;
  sums: Float64Array;
  /** For each group, the squared length of the vector of its sums. */
  squares: Float64Array;
}

type Given = Pick<Compared, 'traits' | 'weights' | 'frequencies'>;

/** @param members positions of the members of each group */
export async function createTraitProfiles(given: Given, members: Rows): Promise<TraitProfiles> {
  const weigh = weighing(given, await concentrationOf(given, members));
  const { traits, sums, squares } = await sumsOf(members, weigh, given);
  /** Returns the position of a trait in the sums of the group, or -1 if no member has the trait. */
  const find = (group: number, trait: number) => {
    let from = traits.starts[group] as number;
    let to = (traits.starts[group + 1] as number) - 1;
    while (from <= to) {
      const middle = (from + to) >> 1;
      const difference = (traits.values[middle] as number) - trait;
      if (difference === 0) return middle;
      if (difference < 0) from = middle + 1;
      else to = middle - 1;
    }
    return -1;
  };
  return {
    weigh,
    fit: (group, own, isMember) => {
      let product = 0;
      let square = squares[group] as number;
      for (let index = 0; index < own.traits.length; index++) {
        const weight = own.weights[index] as number;
        const sum = sums[find(group, own.traits[index] as number)] ?? 0;
        const others = isMember ? sum - weight : sum;
        product += others * weight;
        square += others * others - sum * sum;
      }
      return square > 1e-9 ? product / Math.sqrt(square) : 0;
    },
  };
}

function weighing({ traits, weights }: Given, concentration: Float64Array): TraitProfiles['weigh'] {
  let room = new Float64Array(64);
  return place => {
    const own = rowAt(traits, place);
    if (own.length > room.length) room = new Float64Array(own.length);
    let square = 0;
    for (let index = 0; index < own.length; index++) {
      const trait = own[index] as number;
      const weight = (weights[trait] as number) * (concentration[trait] as number);
      room[index] = weight;
      square += weight * weight;
    }
    const length = Math.sqrt(square) || 1;
    for (let index = 0; index < own.length; index++) room[index] = (room[index] as number) / length;
    return { traits: own, weights: room.subarray(0, own.length) };
  };
}

async function sumsOf(members: Rows, weigh: TraitProfiles['weigh'], { traits, weights }: Given): Promise<TraitSums> {
  const groupCount = rowCount(members);
  const starts = new Int32Array(groupCount + 1);
  const squares = new Float64Array(groupCount);
  // There are at most as many sums as `traits.values`, because members that share a trait share one sum for it.
  const values = new Int32Array(traits.values.length);
  const sums = new Float64Array(values.length);
  const ofGroup = createSums(weights.length);
  let end = 0;
  await eachInSteps(squares.keys(), group => {
    ofGroup.clear();
    for (const place of rowAt(members, group)) {
      const own = weigh(place);
      squares[group] = (squares[group] as number) + addTo(ofGroup, own);
    }
    for (const trait of ofGroup.keys().sort()) {
      values[end] = trait;
      sums[end] = ofGroup.of(trait);
      end += 1;
    }
    starts[group + 1] = end;
  });
  return { traits: { starts, values: values.slice(0, end) }, sums: sums.slice(0, end), squares };
}

/** @returns the increase of the squared length of the vector of sums */
function addTo(sums: Sums, { traits, weights }: WeighedTraits): number {
  let growth = 0;
  for (let index = 0; index < traits.length; index++) {
    const [trait, weight] = [traits[index] as number, weights[index] as number];
    growth += weight * (2 * sums.of(trait) + weight);
    sums.add(trait, weight);
  }
  return growth;
}

/**
 * Returns, for each trait that several memories have, the probability that two of these memories are in one group. A
 * general tag has a low probability.
 */
async function concentrationOf({ traits, frequencies }: Given, members: Rows): Promise<Float64Array> {
  const pairs = new Float64Array(frequencies.length);
  const inGroup = createSums(frequencies.length);
  await eachInSteps(Array(rowCount(members)).keys(), group => {
    inGroup.clear();
    for (const place of rowAt(members, group)) for (const trait of rowAt(traits, place)) inGroup.add(trait, 1);
    for (const trait of inGroup.keys()) {
      const count = inGroup.of(trait);
      pairs[trait] = (pairs[trait] as number) + count * (count - 1);
    }
  });
  return pairs.map((inOneGroup, trait) => {
    const frequency = frequencies[trait] as number;
    if (frequency < 2) return 1;
    return (inOneGroup + PRIOR_PAIRS) / (frequency * (frequency - 1) + 2 * PRIOR_PAIRS);
  });
}
