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
import type { WorkClaim, WorkOutcome, WorkQueue } from '../stores/ports/work-queue.js';
import type { VectorStore } from '../stores/vector-store.js';
import type { Classification, Classifier } from './classify/classifier.js';
import { entitiesNamedIn, withEntities } from './name-entities.js';
import {
  createThemeReader,
  type FoundPatterns,
  findPatterns,
  mayJoinPattern,
  type PatternGraph,
  type ThemeReader,
} from './steps/patterns.js';
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
/** Number of memories that are examined in parallel, because each may wait for a language model. */
const EXAMINED_AT_ONCE = 8;
/**
 * Number of memories that are written at the same time. More writes would delay recalls, because a server runs the
 * statements of a connection in order.
 */
const WRITES_AT_ONCE = 4;

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
  const inTurn = pLimit(EXAMINED_AT_ONCE);
  const examined = await Promise.all(claims.map(claim => inTurn(() => examine(parts, claim, nowIso))));
  const tagged = examined.map(({ claim: { memory }, tags }) => ({ memory, tags }));
  const [similar, preceding] = await Promise.all([
    similarEdges(memories, { ...parts, nowIso }),
    precedingEdges(tagged, { graph: parts.graph, nowIso }),
  ]);
  const relations = claims.map(({ memory }, index) => [...(similar.get(memory.id) ?? []), ...(preceding[index] ?? [])]);
  return writeAll({ ...parts, themes: createThemeReader(parts.graph), nowIso }, examined, relations);
}

interface Examined {
  claim: WorkClaim;
  findings: Findings;
  /** The tags of the memory, including those of the entities just found. */
  tags: readonly string[];
}

/** @param relations the new edges of each memory, in the order of the memories */
async function writeAll(
  parts: EnrichParts & { themes: ThemeReader; nowIso: string },
  examined: readonly Examined[],
  relations: readonly Relation[][],
): Promise<string[]> {
  const inTurn = pLimit(WRITES_AT_ONCE);
  const done: string[] = [];
  const writes: Promise<void>[] = [];
  const complete = async (token: string, outcome: WorkOutcome) => {
    if (await parts.graph.completeWork(token, outcome)) done.push(token);
  };
  let hasChangedThemes = false;
  try {
    for (const [index, each] of examined.entries()) {
      const { claim, findings, tags } = each;
      const memory = { ...claim.memory, ...findings.classification };
      if (hasChangedThemes && mayJoinPattern(memory)) {
        await Promise.all(writes);
        hasChangedThemes = false;
      }
      const patterns = await findPatterns(memory, tags, parts);
      hasChangedThemes ||= changesThemes(each, patterns);
      const edges = { types: EDGE_TYPES, relations: relations[index] ?? [] };
      const outcome = { change: (current: Memory) => enriched(current, findings), edges, patterns };
      writes.push(inTurn(() => complete(claim.token, outcome)));
      await leaveTurns();
      await parts.yieldToForeground();
    }
  } finally {
    // Wait for every write even after a failure. The caller then gives the claims back, and a write that is still in
    // progress would use a claim that may belong to another process.
    await Promise.allSettled(writes);
  }
  await Promise.all(writes);
  return done;
}

const EDGE_TYPES = ['SIMILAR_TO', 'PRECEDED_BY'] as const;

/**
 * Whether a write changes what `findPatterns` reads for other memories. Writing a memory that was enriched before may
 * remove its links to patterns.
 */
function changesThemes({ claim: { memory }, findings, tags }: Examined, patterns: FoundPatterns): boolean {
  return (
    patterns.nodes.length > 0 ||
    tags.length !== memory.tags.length ||
    tags.some((tag, index) => tag !== memory.tags[index]) ||
    findings.classification !== undefined ||
    memory.metadata.enriched_at !== undefined
  );
}

/** Yields to the event loop several times, because recognition blocks the thread that answers requests. */
async function leaveTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS_FOR_OTHERS; turn++) await yieldToEventLoop();
}

/** Returns the findings from the memory itself. */
async function examine({ classifier, settings }: EnrichParts, claim: WorkClaim, nowIso: string): Promise<Examined> {
  const { memory } = claim;
  const classification = await classifier.classifyLater(memory);
  const entities = entitiesNamedIn(memory);
  const summary = settings.areSummariesEnabled ? summaryOf(memory.content) : undefined;
  await leaveTurns();
  const { tags } = withEntities(memory, entities);
  return { claim, findings: { classification, entities, summary, nowIso }, tags };
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
