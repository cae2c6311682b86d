/** What the members of each group have in common, and how well a memory goes with it. */
import { eachInSteps } from '../in-steps.js';
import type { Compared } from './compared.js';

/** Of the vectors, beside the traits. */
const VECTOR_SHARE = 0.25;
/** As if so many pairs of memories with a trait were in one group, of twice as many. */
const PRIOR_PAIRS = 2;

interface Profile {
  memberCount: number;
  /** Sum of the vectors, and the square of its length. */
  vector: Float32Array;
  square: number;
  /** The same for the traits. */
  traits: Map<number, number>;
  traitSquare: number;
}

/** By trait; of unit length together. */
type WeightedTraits = readonly (readonly [trait: number, weight: number])[];

export interface Profiles {
  /** Takes in a vector of unit length, from which the middle has been taken. */
  addVector(group: number, vector: Float32Array): void;
  /** The group that it fits best, the first of equals: without what it contributed to the group itself. */
  bestFor(place: number, vector: Float32Array, groups: Iterable<number>): { group: number; fit: number };
}

/** @param groupOf the group of each memory, -1 where it has none */
export async function createProfiles(compared: Compared, groupOf: readonly number[]): Promise<Profiles> {
  const concentration = await concentrationOf(compared, groupOf);
  const weighted = (place: number) => weightedTraits(compared, place, concentration);
  const profiles = new Map<number, Profile>();
  await eachInSteps(groupOf.entries(), ([place, group]) => {
    if (group < 0) return;
    const profile = profiles.get(group) ?? emptyProfile(compared.middle.length);
    profiles.set(group, profile);
    profile.memberCount += 1;
    for (const [trait, weight] of weighted(place)) {
      const before = profile.traits.get(trait) ?? 0;
      profile.traits.set(trait, before + weight);
      profile.traitSquare += weight * (2 * before + weight);
    }
  });
  return {
    addVector: (group, vector) => {
      const profile = profiles.get(group);
      if (!profile) return;
      const sum = profile.vector;
      for (let index = 0; index < vector.length; index++) sum[index] = (sum[index] ?? 0) + (vector[index] as number);
      profile.square = 0;
    },
    bestFor: (place, vector, groups) => {
      const own = weighted(place);
      let best = { group: -1, fit: 0 };
      for (const group of groups) {
        const profile = profiles.get(group);
        if (!profile) continue;
        const isMember = groupOf[place] === group;
        const [byVector, byTraits] = [vectorFit(profile, vector, isMember), traitFit(profile, own, isMember)];
        const fit = VECTOR_SHARE * byVector + (1 - VECTOR_SHARE) * byTraits;
        if (fit > best.fit) best = { group, fit };
      }
      return best;
    },
  };
}

function emptyProfile(dimensions: number): Profile {
  return { memberCount: 0, vector: new Float32Array(dimensions), square: 0, traits: new Map(), traitSquare: 0 };
}

function vectorFit(profile: Profile, vector: Float32Array, isMember: boolean): number {
  if (profile.square === 0) profile.square = dot(profile.vector, profile.vector);
  const product = dot(profile.vector, vector);
  const own = dot(vector, vector);
  const square = isMember ? profile.square - 2 * product + own : profile.square;
  const rest = isMember ? product - own : product;
  return square > 1e-9 && own > 0 ? rest / Math.sqrt(square * own) : 0;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

function traitFit(profile: Profile, own: WeightedTraits, isMember: boolean): number {
  let product = 0;
  let square = profile.traitSquare;
  for (const [trait, weight] of own) {
    const sum = profile.traits.get(trait) ?? 0;
    const others = isMember ? sum - weight : sum;
    product += others * weight;
    square += others * others - sum * sum;
  }
  return square > 1e-9 ? product / Math.sqrt(square) : 0;
}

function weightedTraits({ traits, rarity }: Compared, place: number, concentration: ReadonlyMap<number, number>) {
  const own = traits[place] ?? new Uint32Array();
  const weights = Array.from(own, trait => rarity.weightOf(trait) * (concentration.get(trait) ?? 1));
  const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0)) || 1;
  return Array.from(own, (trait, index) => [trait, (weights[index] ?? 0) / length] as const);
}

/** For each trait that several memories have, how likely two of them are in one group: a tag for anything tells nothing. */
async function concentrationOf({ traits, rarity }: Compared, groupOf: readonly number[]) {
  const counts = new Map<number, Map<number, number>>();
  await eachInSteps(traits.entries(), ([place, own]) => {
    const group = groupOf[place] ?? -1;
    for (const trait of own) {
      if (rarity.frequencyOf(trait) < 2) continue;
      const byGroup = counts.get(trait) ?? new Map<number, number>();
      if (group >= 0) byGroup.set(group, (byGroup.get(group) ?? 0) + 1);
      counts.set(trait, byGroup);
    }
  });
  const concentration = new Map<number, number>();
  await eachInSteps(counts, ([trait, byGroup]) => {
    const frequency = rarity.frequencyOf(trait);
    const pairs = [...byGroup.values()].reduce((sum, count) => sum + count * (count - 1), 0);
    concentration.set(trait, (pairs + PRIOR_PAIRS) / (frequency * (frequency - 1) + 2 * PRIOR_PAIRS));
  });
  return concentration;
}
