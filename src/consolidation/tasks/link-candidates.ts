/**
 * Finds pairs of memories that may belong together, by nearest vectors or shared rare traits. Computes the evidence for
 * each pair from vectors and traits.
 */

import { partsOf } from '../../domain/collections.js';
import type { Memory } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import { dotProduct } from '../../domain/vectors.js';
import { inSteps } from '../../event-loop.js';
import { MEMORIES_PER_PAGE } from '../../stores/pages.js';
import {
  type Closeness,
  comparedPages,
  isCompared,
  measureCloseness,
  readVectors,
  searchWithRetry,
} from '../evidence/compared-memories.js';
import { createRarity, type Rarity, sharedTraits, traitsOf } from '../evidence/traits.js';
import type { PlanContext } from '../planner.js';

/**
 * Number of seeds, if the sample does not contain all memories. A seed is a memory whose partners are searched: by
 * vector among all memories, and by trait within the sample.
 */
const SEEDS_MAX = 200;
const NEAREST = 10;
/** Maximum number of memories with a trait. A more frequent trait is not used to find partners. */
const RARE_MAX = 12;

export interface Candidate {
  /** The two memories. `a` is the memory with the smaller id. */
  a: SampledMemory;
  b: SampledMemory;
  /** Cosine between the vectors. */
  similarity: number;
  /** How far the similarity of the vectors lies above chance, 0..1. */
  closeness: number;
  /** Similarity of the traits, 0..1. */
  likeness: number;
  /** Mean of `closeness` and `likeness`. */
  evidence: number;
}

export interface Search {
  context: PlanContext;
  /** The memories whose partners are searched. */
  seeds: readonly SampledMemory[];
  rarity: Rarity;
  closenessOf: Closeness;
  vectors: Map<string, Float32Array>;
  known: Map<string, SampledMemory>;
  /** Memories of the sample by rare trait. */
  holders: Map<number, SampledMemory[]>;
}

/**
 * Returns the pairs of a seed and a partner that share at least one trait, even if their evidence is weak. Each pair
 * occurs once.
 */
export async function* candidatePages(search: Search): AsyncGenerator<Candidate[]> {
  const { context, seeds } = search;
  const done = new Set<string>();
  for (const part of partsOf(seeds, MEMORIES_PER_PAGE)) {
    await context.onPage();
    const partners = await partnersOf(search, part);
    const pairs: Candidate[] = [];
    for await (const seed of inSteps(part)) {
      for (const [id, similarity] of partners.get(seed.id) ?? []) {
        const candidate = judge(search, seed, { id, similarity });
        if (candidate) pairs.push(candidate);
      }
    }
    yield pairs.filter(({ a, b }) => {
      const pair = pairOf({ from: a.id, to: b.id });
      const isNew = !done.has(pair);
      done.add(pair);
      return isNew;
    });
  }
}

function takeSeeds({ random }: PlanContext, { memories }: Sample): SampledMemory[] {
  const first = Math.floor(random() * memories.length);
  return Array.from({ length: SEEDS_MAX }, (_, index) => {
    return memories[(first + index * Math.floor(SAMPLE_MAX / SEEDS_MAX)) % memories.length] as SampledMemory;
  });
}

export async function prepareSearch(context: PlanContext, sample: Sample): Promise<Search> {
  const { memories, isWhole } = sample;
  const rarity = createRarity();
  for (const { traits } of memories) rarity.note(traits);
  const vectors = await readVectors(
    context,
    memories.map(({ id }) => id),
  );
  const holders = new Map<number, SampledMemory[]>();
  for await (const memory of inSteps(memories)) {
    for (const trait of memory.traits) {
      if (rarity.frequencyOf(trait) > RARE_MAX || rarity.weightOf(trait) === 0) continue;
      holders.set(trait, [...(holders.get(trait) ?? []), memory]);
    }
  }
  return {
    context,
    seeds: isWhole ? memories : takeSeeds(context, sample),
    rarity,
    closenessOf: measureCloseness([...vectors].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, vector]) => vector)),
    vectors,
    known: new Map(memories.map(memory => [memory.id, memory])),
    holders,
  };
}

/** Returns, for each seed, the ids of its partners with the similarity of their vectors. */
async function partnersOf(search: Search, seeds: readonly SampledMemory[]) {
  const { context, vectors, known, holders } = search;
  const found = new Map<string, Map<string, number>>();
  for (const { id, traits } of seeds) {
    const vector = vectors.get(id);
    if (!vector) continue;
    const filter = { validAtMs: context.nowMs };
    const hits = await searchWithRetry(context, { vector, limit: NEAREST + 1, filter, models: context.models });
    const partners = new Map(hits.map(hit => [hit.id, hit.similarity]));
    for (const other of [...traits].flatMap(trait => holders.get(trait) ?? [])) {
      const ofOther = vectors.get(other.id);
      if (ofOther) partners.set(other.id, dotProduct(vector, ofOther));
    }
    partners.delete(id);
    found.set(id, partners);
  }
  const unknown = [...new Set([...found.values()].flatMap(partners => [...partners.keys()]))].filter(
    id => !known.has(id),
  );
  for await (const part of inSteps(partsOf(unknown, MEMORIES_PER_PAGE))) {
    for (const memory of (await context.graph.getMemories(part)).values()) {
      if (isCompared(context, memory)) known.set(memory.id, toSampled(memory));
    }
  }
  return found;
}

function judge(
  { rarity, closenessOf, known }: Search,
  seed: SampledMemory,
  { id, similarity }: { id: string; similarity: number },
): Candidate | undefined {
  const other = known.get(id);
  if (!other || sharedTraits(seed.traits, other.traits).length === 0) return undefined;
  const [a, b] = seed.id < id ? [seed, other] : [other, seed];
  const closeness = closenessOf(similarity);
  const likeness = rarity.likeness(a.traits, b.traits);
  return { a, b, similarity, closeness, likeness, evidence: (closeness + likeness) / 2 };
}

/** Maximum size of the sample. Up to this number, the sample contains all memories. */
const SAMPLE_MAX = 2_000;

interface SampledMemory {
  id: string;
  traits: Uint32Array;
}

interface Sample {
  /** Ordered by id. */
  memories: readonly SampledMemory[];
  /** Whether the sample contains every memory. */
  isWhole: boolean;
}

function toSampled(memory: Memory): SampledMemory {
  return { id: memory.id, traits: traitsOf(memory) };
}

/**
 * Returns a uniform sample of the current memories with a vector (Vitter, "Random Sampling with a Reservoir", 1985).
 */
export async function readSample(context: PlanContext): Promise<Sample> {
  const memories: SampledMemory[] = [];
  let seen = 0;
  for await (const page of inSteps(comparedPages(context))) {
    for (const memory of page) {
      const place = seen < SAMPLE_MAX ? seen : Math.floor(context.random() * (seen + 1));
      seen += 1;
      if (place < SAMPLE_MAX) memories[place] = toSampled(memory);
    }
  }
  return { memories: memories.sort((a, b) => (a.id < b.id ? -1 : 1)), isWhole: seen <= SAMPLE_MAX };
}

export function pairOf({ from, to }: Pick<Relation, 'from' | 'to'>): string {
  // The key is JSON, because ids from other programs may contain any character.
  return JSON.stringify([from, to].sort());
}
