/**
 * The work of kind `enrich`: what a memory is about and what it is connected with
 * (docs/decisions.md, "Background work").
 */
import type { Entity } from '../domain/entity.js';
import type { Memory } from '../domain/memory.js';
import type { Relation } from '../domain/relation.js';
import type { EnrichmentSettings } from '../domain/settings.js';
import { type Clock, toIso } from '../domain/time.js';

import type { WorkClaim, WorkQueue } from '../stores/ports/work-queue.js';
import type { VectorStore } from '../stores/vector-store.js';
import type { Classification, Classifier } from './classify/classifier.js';
import { entitiesNamedIn, withEntities } from './name-entities.js';
import { createThemeReader, findPatterns, type PatternGraph, type ThemeReader } from './steps/patterns.js';
import { precedingEdges } from './steps/preceded-by.js';
import { similarEdges } from './steps/similar.js';
import { summaryOf } from './steps/summary.js';

export interface EnrichParts {
  graph: PatternGraph & Pick<WorkQueue, 'completeWork'>;
  vectors: VectorStore;
  /** Of the vectors that compare with each other. */
  model: string;
  classifier: Classifier;
  clock: Clock;
  settings: EnrichmentSettings;
}

/** Turns of the event loop that each memory leaves to requests. They cost nothing where nobody uses them. */
const TURNS_FOR_OTHERS = 5;

/**
 * Enriches the memories one by one: each in one write that has no effect when the memory has changed meanwhile, for then
 * the work starts over. Doing it again finds the same and adds nothing.
 *
 * @returns the tokens that took effect
 */
export async function enrichMemories(parts: EnrichParts, claims: readonly WorkClaim[]): Promise<string[]> {
  const nowIso = toIso(parts.clock.nowMs());
  const memories = claims.map(({ memory }) => memory);
  const similar = await similarEdges(memories, { ...parts, nowIso });
  const themes = createThemeReader(parts.graph);
  const done: string[] = [];
  for (const claim of claims) {
    const edges = similar.get(claim.memory.id) ?? [];
    if (await enrichOne(parts, claim, { similar: edges, themes, nowIso })) done.push(claim.token);
    // Recognition computes on this thread: requests get in between, for as many of their own steps.
    for (let turn = 0; turn < TURNS_FOR_OTHERS; turn++) await new Promise(resolve => setImmediate(resolve));
  }
  return done;
}

async function enrichOne(
  parts: EnrichParts,
  { memory: stored, token }: WorkClaim,
  { similar, themes, nowIso }: { similar: readonly Relation[]; themes: ThemeReader; nowIso: string },
): Promise<boolean> {
  const { graph, settings } = parts;
  const classification = await parts.classifier.classifyLater(stored);
  const memory = { ...stored, ...classification };
  const entities = entitiesNamedIn(memory);
  const { tags } = withEntities(memory, entities);
  const preceding = await precedingEdges(memory, tags, { graph, nowIso });
  const patterns = await findPatterns(memory, tags, { graph, themes, nowIso });
  const summary = settings.areSummariesEnabled ? summaryOf(memory.content) : undefined;
  return graph.completeWork(token, {
    change: current => enriched(current, { entities, summary, classification, nowIso }),
    edges: { types: ['SIMILAR_TO', 'PRECEDED_BY'], relations: [...similar, ...preceding] },
    patterns,
  });
}

interface Findings {
  entities: readonly Entity[];
  summary: string | undefined;
  classification: Classification | undefined;
  nowIso: string;
}

/** `updated_at` stays: nobody has changed what the memory says. */
function enriched(current: Memory, { entities, summary, classification, nowIso }: Findings): Memory {
  const memory = withEntities(current, entities);
  return {
    ...memory,
    ...classification,
    metadata: { ...memory.metadata, enriched_at: nowIso },
    ...(summary !== undefined && { summary }),
    enriched: true,
  };
}
