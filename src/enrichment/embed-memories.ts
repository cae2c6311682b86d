/** The work of kind `embed`: claimed memories into vectors. */
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import { hasSamePayload, payloadOf } from '../domain/vector-payload.js';
import type { Embedder } from '../embedding/embedder.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { Settlement, WorkClaim } from '../stores/ports/work-queue.js';
import type { VectorRecord, VectorStore } from '../stores/vector-store.js';

export interface EmbedParts {
  graph: GraphStore;
  vectors: VectorStore;
  embedder: Embedder;
}

/**
 * Embeds the memories and settles the claims with their vectors. Where another store than the graph holds these, they are
 * written there first: a crash in between repeats work and loses none. A vector that a caller supplied is stored as it is,
 * unless VECTOR_SIZE has become another since.
 *
 * @returns the tokens that were settled
 */
export async function embedMemories(parts: EmbedParts, claims: readonly WorkClaim[]): Promise<string[]> {
  const { graph, vectors, embedder } = parts;
  const supplied = claims.filter(claim => claim.embedding?.length === vectors.dimensions);
  const others = claims.filter(claim => !supplied.includes(claim));
  const texts = others.map(claim => claim.memory.content);
  const made = texts.length > 0 ? await embedder.embed(texts, 'document') : [];
  const records = [
    ...supplied.map(claim => record(claim, claim.embedding, SUPPLIED_EMBEDDING)),
    ...others.map((claim, index) => record(claim, made[index], embedder.model)),
  ];
  if (!graph.holdsVectors) await vectors.upsert(records);
  const byToken = new Map(
    [...supplied, ...others].map(({ token }, index) => [token, (records[index] as VectorRecord).vector]),
  );
  const settled = [
    ...(await settleInPortions(graph, supplied, { embeddedBy: SUPPLIED_EMBEDDING, vectors: byToken })),
    ...(await settleInPortions(graph, others, { embeddedBy: embedder.model, vectors: byToken })),
  ];
  if (!graph.holdsVectors) await undoOutdated(parts, claims, settled);
  return settled;
}

/** Levels of tags whose entries are written in one turn of the event loop. */
const LEVELS_PER_TURN = 400;

/** Most batches are one portion; memories with many tags are written a few at a time, and requests get in between. */
async function settleInPortions(
  graph: GraphStore,
  claims: readonly WorkClaim[],
  settlement: Settlement,
): Promise<string[]> {
  const settled: string[] = [];
  let portion: string[] = [];
  let levels = 0;
  for (const { token, memory } of claims) {
    portion.push(token);
    levels += memory.tag_prefixes.length;
    if (levels < LEVELS_PER_TURN) continue;
    settled.push(...(await graph.settleWork(portion, settlement)));
    portion = [];
    levels = 0;
    await new Promise(resolve => setImmediate(resolve));
  }
  return portion.length === 0 ? settled : [...settled, ...(await graph.settleWork(portion, settlement))];
}

function record(claim: WorkClaim, vector: Float32Array | undefined, model: string): VectorRecord {
  if (!vector) throw new Error(`the embedder returned no vector for memory ${claim.memory.id}`);
  return { id: claim.memory.id, vector, payload: payloadOf(claim.memory, model) };
}

/**
 * A memory may have been deleted or changed between its claim and the write of its vector, by this process or another. That
 * vector then belongs to nothing, or may have replaced the one of the present content: it is removed, or made again.
 */
async function undoOutdated(
  { graph, vectors }: EmbedParts,
  claims: readonly WorkClaim[],
  settled: readonly string[],
): Promise<void> {
  const unsettled = claims.filter(claim => !settled.includes(claim.token)).map(claim => claim.memory);
  if (unsettled.length === 0) return;
  const existing = await graph.getMemories(unsettled.map(({ id }) => id));
  await vectors.remove(unsettled.filter(({ id }) => !existing.has(id)).map(({ id }) => id));
  const changed = unsettled.filter(embedded => {
    const current = existing.get(embedded.id);
    return current && (current.content !== embedded.content || !hasSamePayload(current, embedded));
  });
  await graph.requeue(
    'embed',
    changed.map(({ id }) => id),
  );
}
