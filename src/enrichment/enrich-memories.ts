/**
 * The work of kind `enrich`: finds the entities of a memory and its connections (docs/decisions.md, "Background work").
 */
import pLimit from 'p-limit';
import type { Entity } from '../domain/entity.js';
import type { Memory } from '../domain/memory.js';
import type { Relation } from '../domain/relation.js';
import type { EnrichmentSettings } from '../domain/settings.js';
import { type Clock, toIso } from '../domain/time.js';

import { yieldToEventLoop } from '../event-loop.js';
import type { WorkClaim, WorkQueue } from '../stores/ports/work-queue.js';
import type { VectorStore } from '../stores/vector-store.js';
import type { Classification, Classifier } from './classify/classifier.js';
import { entitiesNamedIn, withEntities } from './name-entities.js';
import { createThemeReader, findPatterns, type PatternGraph } from './steps/patterns.js';
import { precedingEdges } from './steps/preceded-by.js';
import { similarEdges } from './steps/similar.js';
import { summaryOf } from './steps/summary.js';

export interface EnrichParts {
  graph: PatternGraph & Pick<WorkQueue, 'completeWork'>;
  vectors: VectorStore;
  /** Model of the vectors that enrichment compares. */
  model: string;
  classifier: Classifier;
  clock: Clock;
  settings: EnrichmentSettings;
  /**
   * Resolves when this work may continue. A batch of new memories, for which a caller waits, takes precedence for a
   * moment.
   */
  yieldToForeground(): Promise<void>;
}

/** Number of turns of the event loop that requests get after each memory. Unused turns cost nothing. */
const TURNS_FOR_OTHERS = 5;
/**
 * Number of memories that are examined in parallel. Parallel work is faster, because each memory mostly waits for a
 * server.
 */
const LOOKS_AT_ONCE = 8;

/**
 * Enriches the memories, each in one write. The write has no effect if the memory has changed meanwhile, and the work
 * then starts over. Repeated enrichment has the same findings and adds nothing. Reads that do not depend on the writes
 * of the batch are done for all memories before the first write.
 *
 * @returns the tokens of the writes that took effect
 */
export async function enrichMemories(parts: EnrichParts, claims: readonly WorkClaim[]): Promise<string[]> {
  await parts.yieldToForeground();
  const nowIso = toIso(parts.clock.nowMs());
  const memories = claims.map(({ memory }) => memory);
  const similar = await similarEdges(memories, { ...parts, nowIso });
  const inTurn = pLimit(LOOKS_AT_ONCE);
  const known = await Promise.all(memories.map(memory => inTurn(() => lookAt(parts, memory, nowIso))));
  const themes = createThemeReader(parts.graph);
  const done: string[] = [];
  for (const [index, { memory, token }] of claims.entries()) {
    const { preceding, ...findings } = known[index] as Known;
    const tags = withEntities(memory, findings.entities).tags;
    const patterns = await findPatterns({ ...memory, ...findings.classification }, tags, { ...parts, themes, nowIso });
    const isDone = await parts.graph.completeWork(token, {
      change: current => enriched(current, findings),
      edges: { types: ['SIMILAR_TO', 'PRECEDED_BY'], relations: [...(similar.get(memory.id) ?? []), ...preceding] },
      patterns,
    });
    if (isDone) done.push(token);
    await leaveTurns();
    await parts.yieldToForeground();
  }
  return done;
}

/** Yields to the event loop several times, because recognition blocks the thread that answers requests. */
async function leaveTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS_FOR_OTHERS; turn++) await yieldToEventLoop();
}

interface Known extends Findings {
  preceding: readonly Relation[];
}

/** Returns the findings from the memory itself, and the edges to the memories that precede it. */
async function lookAt({ graph, classifier, settings }: EnrichParts, memory: Memory, nowIso: string): Promise<Known> {
  const classification = await classifier.classifyLater(memory);
  const entities = entitiesNamedIn(memory);
  const preceding = await precedingEdges(memory, withEntities(memory, entities).tags, { graph, nowIso });
  const summary = settings.areSummariesEnabled ? summaryOf(memory.content) : undefined;
  await leaveTurns();
  return { classification, entities, preceding, summary, nowIso };
}

interface Findings {
  entities: readonly Entity[];
  summary: string | undefined;
  classification: Classification | undefined;
  nowIso: string;
}

/** The enriched memory. `updated_at` is unchanged, because nobody has changed the content. */
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
