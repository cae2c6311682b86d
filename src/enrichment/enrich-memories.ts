/**
 * The work of both kinds (docs/decisions.md, "Background work"): `embed` makes the vectors of memories, and `enrich` finds
 * their entities and connections.
 */
import pLimit from 'p-limit';
import type { Entity } from '../domain/entity.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { Relation } from '../domain/relation.js';
import type { EnrichmentSettings } from '../domain/settings.js';
import { type Clock, toIso } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import { type FinderParts, NEAREST } from '../replacement/finder.js';
import type { Judge } from '../replacement/judge.js';
import { suggestReplacements } from '../replacement/suggest.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { WorkClaim, WorkOutcome, WorkQueue } from '../stores/ports/work-queue.js';
import type { VectorStore } from '../stores/vector-store.js';
import type { Classification, Classifier } from './classify/classifier.js';
import { precedingEdges, type Similar, startSimilarEdges } from './edges.js';
import { entitiesNamedIn, withEntities } from './name-entities.js';
import {
  createThemeReader,
  type FoundPatterns,
  findPatterns,
  mayJoinPattern,
  type PatternGraph,
  type ThemeReader,
} from './patterns.js';
import { summaryOf } from './shorten.js';

export interface EnrichParts {
  graph: PatternGraph & FinderParts['graph'] & Pick<WorkQueue, 'completeWork'> & Pick<MemoryStore, 'annotate'>;
  vectors: VectorStore;
  /** Model of the vectors that enrichment compares. */
  model: string;
  /** Decides which memories a new memory may replace. */
  judge: Judge;
  classifier: Classifier;
  clock: Clock;
  settings: EnrichmentSettings;
  /** Resolves when this work may do its next step, after the requests that wait. */
  afterRequests(): Promise<void>;
}

interface EnrichContext extends EnrichParts {
  themes: ThemeReader;
  nowMs: number;
  nowIso: string;
}

/** Number of memories that a language model classifies at the same time. */
const CLASSIFIED_AT_ONCE = 8;
/**
 * Number of memories that are written at the same time. More writes would delay recalls, because a server runs the
 * statements of a connection in order.
 */
const WRITES_AT_ONCE = 4;

/**
 * Enriches the memories, each in one write. The write has no effect if the memory has changed meanwhile, and the work
 * then starts over. Repeated enrichment has the same findings and adds nothing. Reads that do not depend on the writes
 * of the batch are done for all memories before the first write. The searches for similar memories continue during the
 * writes, unless a language model is asked about a memory of the batch.
 *
 * @param onWritten called with the token of each write that took effect, even if the batch fails later
 * @throws the first error of a read or a write, once all searches and writes that were in progress have ended
 */
export async function enrichMemories(
  parts: EnrichParts,
  claims: readonly WorkClaim[],
  onWritten: (token: string) => void,
): Promise<void> {
  await parts.afterRequests();
  const nowMs = parts.clock.nowMs();
  const context = { ...parts, themes: createThemeReader(parts.graph), nowMs, nowIso: toIso(nowMs) };
  const batch = new AbortController();
  // The searches start first, so that they run while texts are read. Each write waits for the group of searches that
  // contains its memory.
  const similar = startSimilarEdges(
    claims.map(({ memory }) => memory),
    { ...context, nearestCount: NEAREST, signal: batch.signal },
  );
  const searches = Promise.allSettled(similar);
  try {
    await writeAll(context, await examineAll(context, claims, similar), onWritten);
  } finally {
    batch.abort();
    await searches;
  }
}

async function examineAll(
  parts: EnrichContext,
  claims: readonly WorkClaim[],
  similar: readonly Promise<Similar>[],
): Promise<Examined[]> {
  const { graph, classifier, nowIso } = parts;
  const read: Read[] = [];
  for (const { memory } of claims) {
    read.push(readText(memory));
    await parts.afterRequests();
  }
  const preceding = await precedingEdges(read, { graph, nowIso });
  // The language model is asked last, because its answers would be lost if a store could not be read.
  if (claims.some(({ memory }) => classifier.asksModel(memory))) await Promise.all(similar);
  const classifications = await classify(parts, read);
  return claims.map(({ memory, token }, index): Examined => {
    const { entities, tags, summary } = read[index] as Read;
    return {
      memory,
      token,
      tags,
      findings: { entities, summary, classification: classifications[index], nowIso },
      preceding: preceding[index] ?? [],
      similar: similar[index] as Promise<Similar>,
    };
  });
}

/** The findings from the text of a memory. */
interface Read {
  memory: Memory;
  entities: readonly Entity[];
  /** The tags of the memory, including those of the entities just found. */
  tags: readonly string[];
  summary: string | undefined;
}

function readText(memory: Memory): Read {
  const entities = entitiesNamedIn(memory);
  return { memory, entities, tags: withEntities(memory, entities).tags, summary: summaryOf(memory.content) };
}

async function classify(
  { classifier, vectors }: EnrichParts,
  read: readonly Read[],
): Promise<(Classification | undefined)[]> {
  const compared = read.flatMap(({ memory }) => (classifier.comparesVector(memory) ? [memory.id] : []));
  const known = compared.length > 0 ? await vectors.vectorsOf(compared) : new Map<string, Float32Array>();
  const inTurn = pLimit(CLASSIFIED_AT_ONCE);
  return Promise.all(read.map(({ memory }) => inTurn(() => classifier.classifyLater(memory, known.get(memory.id)))));
}

interface Examined {
  memory: Memory;
  token: string;
  findings: Findings;
  tags: readonly string[];
  /** The new edges of the memory to earlier memories. */
  preceding: readonly Relation[];
  /** The memories nearest to the memory, and its new edges to them. */
  similar: Promise<Similar>;
}

/** @throws the first error of a write, once all writes that were in progress have ended */
async function writeAll(
  parts: EnrichContext,
  all: readonly Examined[],
  onWritten: (token: string) => void,
): Promise<void> {
  const writes = startWrites(parts, onWritten);
  let hasChangedThemes = false;
  try {
    for (const each of all) {
      if (writes.haveFailed()) break;
      const { findings, tags, preceding, similar } = each;
      const memory = { ...each.memory, ...findings.classification };
      if (hasChangedThemes && mayJoinPattern(memory)) {
        await writes.ended();
        hasChangedThemes = false;
      }
      const patterns = await findPatterns(memory, tags, parts);
      hasChangedThemes ||= changesThemes(each, patterns);
      const { edges: similarEdges, nearest } = await similar;
      const edges = { types: EDGE_TYPES, relations: [...similarEdges, ...preceding] };
      const outcome = { change: (current: Memory) => enriched(current, findings), edges, patterns };
      writes.add({ ...each, nearest, outcome });
      await parts.afterRequests();
    }
  } finally {
    // The caller gives the claims back after a failure. A write that was still in progress would use a claim that may
    // belong to another process by then.
    await writes.ended();
  }
  writes.throwFailure();
}

interface Write extends Pick<Examined, 'memory' | 'token'>, Pick<Similar, 'nearest'> {
  outcome: WorkOutcome;
}

/**
 * Runs a few writes at the same time. No write begins after one has failed. Suggestions are written first, because the
 * write that ends the claim also ends the retries.
 */
function startWrites(parts: EnrichContext, onWritten: (token: string) => void) {
  const inTurn = pLimit(WRITES_AT_ONCE);
  let failure: { error: unknown } | undefined;
  let writes: Promise<void>[] = [];
  const complete = async ({ memory, token, nearest, outcome }: Write) => {
    try {
      if (!failure) await suggestReplacements(parts, { memory, nearest });
      if (!failure && (await parts.graph.completeWork(token, outcome))) onWritten(token);
    } catch (error) {
      failure ??= { error };
    }
  };
  return {
    add: (write: Write) => void writes.push(inTurn(() => complete(write))),
    haveFailed: () => failure !== undefined,
    ended: async () => {
      await Promise.all(writes);
      writes = [];
    },
    /** @throws the first error of a write */
    throwFailure: () => {
      if (failure) throw failure.error;
    },
  };
}

const EDGE_TYPES = ['SIMILAR_TO', 'PRECEDED_BY'] as const;

/**
 * Whether a write changes what `findPatterns` reads for other memories. Writing a memory that was enriched before may
 * remove its links to patterns.
 */
function changesThemes({ memory, findings, tags }: Examined, patterns: FoundPatterns): boolean {
  return (
    patterns.nodes.length > 0 ||
    tags.length !== memory.tags.length ||
    tags.some((tag, index) => tag !== memory.tags[index]) ||
    findings.classification !== undefined ||
    memory.metadata.enriched_at !== undefined
  );
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

export interface EmbedParts {
  projection: Pick<VectorProjection, 'settle'>;
  embedder: Embedder;
  /** Dimensions of stored vectors. */
  dimensions: number;
}

/**
 * Embeds the memories and settles the claims with their vectors. A vector supplied by a caller is stored unchanged,
 * unless VECTOR_SIZE has changed since.
 *
 * @returns the settled tokens
 */
export async function embedMemories(parts: EmbedParts, claims: readonly WorkClaim[]): Promise<string[]> {
  const { projection, embedder, dimensions } = parts;
  const others = claims.filter(({ embedding }) => embedding?.length !== dimensions);
  const texts = others.map(({ memory }) => memory.content);
  const made = texts.length > 0 ? await embedder.embed(texts, 'document') : [];
  const vectors = new Map(others.map((claim, index) => [claim, made[index]]));
  return projection.settle(
    claims.map(claim => {
      const vector = vectors.has(claim) ? vectors.get(claim) : claim.embedding;
      if (!vector) throw new Error(`the embedder returned no vector for memory ${claim.memory.id}`);
      return { claim, vector, model: vectors.has(claim) ? embedder.model : SUPPLIED_EMBEDDING };
    }),
  );
}
