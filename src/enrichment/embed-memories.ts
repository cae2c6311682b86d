/** The work of kind `embed`: claimed memories into vectors. */
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import { hasSamePayload, payloadOf } from '../domain/vector-payload.js';
import type { Embedder } from '../embedding/embedder.js';
import type { GraphStore, WorkClaim } from '../stores/graph-store.js';
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
    ...(await graph.settleWork(tokensOf(supplied), { embeddedBy: SUPPLIED_EMBEDDING, vectors: byToken })),
    ...(await graph.settleWork(tokensOf(others), { embeddedBy: embedder.model, vectors: byToken })),
  ];
  if (!graph.holdsVectors) await undoOutdated(parts, claims, settled);
  return settled;
}

function record(claim: WorkClaim, vector: Float32Array | undefined, model: string): VectorRecord {
  if (!vector) throw new Error(`the embedder returned no vector for memory ${claim.memory.id}`);
  return { id: claim.memory.id, vector, payload: payloadOf(claim.memory, model) };
}

function tokensOf(claims: readonly WorkClaim[]): string[] {
  return claims.map(claim => claim.token);
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
