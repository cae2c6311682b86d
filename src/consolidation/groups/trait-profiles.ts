/** The traits that the members of each group have, and how well those of a memory go with them. */
import { eachInSteps } from '../in-steps.js';
import { type Rows, rowAt, rowCount } from '../rows.js';
import type { Compared } from './compared.js';
import { createSums, type Sums } from './sums.js';

/** As if so many pairs of memories with a trait were in one group, of twice as many. */
const PRIOR_PAIRS = 2;

export interface WeighedTraits {
  /** In ascending order of the traits. */
  traits: Int32Array;
  /** Side by side with them; of unit length together. */
  weights: Float64Array;
}

export interface TraitProfiles {
  /** Of one memory, until it is asked for the next. */
  weigh(place: number): WeighedTraits;
  /** -1..1, the cosine; of a member without what it contributed itself. */
  fit(group: number, own: WeighedTraits, isMember: boolean): number;
}

/** Sums of the weights of the traits of all members, for each group those that any member has. */
interface TraitSums {
  traits: Rows;
  sums: Float64Array;
  /** For each group the square of the length of its sums. */
  squares: Float64Array;
}

type Given = Pick<Compared, 'traits' | 'weights' | 'frequencies'>;

/** @param members places of the members of each group */
export async function createTraitProfiles(given: Given, members: Rows): Promise<TraitProfiles> {
  const weigh = weighing(given, await concentrationOf(given, members));
  const { traits, sums, squares } = await sumsOf(members, weigh, given);
  /** Where a trait stands in the sums of the group, -1 where no member has it. */
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
  // No more than all members have: those that several of a group have become one.
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

/** @returns by how much the square of the length grows */
function addTo(sums: Sums, { traits, weights }: WeighedTraits): number {
  let growth = 0;
  for (let index = 0; index < traits.length; index++) {
    const [trait, weight] = [traits[index] as number, weights[index] as number];
    growth += weight * (2 * sums.of(trait) + weight);
    sums.add(trait, weight);
  }
  return growth;
}

/** For each trait that several memories have, how likely two of them are in one group: a tag for anything tells nothing. */
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
