/** The work of kind `embed`: claimed memories into vectors. */
import { type Memory, SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { Embedder } from '../embedding/embedder.js';
import type { GraphStore, WorkClaim } from '../stores/graph-store.js';
import type { VectorPayload, VectorRecord, VectorStore } from '../stores/vector-store.js';

export interface EmbedParts {
  graph: GraphStore;
  vectors: VectorStore;
  embedder: Embedder;
}

/** What the vector store needs to know of a memory beside its vector. */
export function payloadOf(memory: Memory, model: string): VectorPayload {
  const { tags, timestamp, archived: isArchived, t_valid, t_invalid } = memory;
  return {
    tags,
    timestampMs: Date.parse(timestamp),
    model,
    isArchived,
    ...(t_valid !== undefined && { validFromMs: Date.parse(t_valid) }),
    ...(t_invalid !== undefined && { validToMs: Date.parse(t_invalid) }),
  };
}

/**
 * Embeds the memories, stores the vectors, then settles the claims, in that order: a crash in between repeats work and
 * loses none. A vector that a caller supplied is stored as it is, unless VECTOR_SIZE has become another since.
 *
 * @returns the tokens that were settled
 */
export async function embedMemories(parts: EmbedParts, claims: readonly WorkClaim[]): Promise<string[]> {
  const { graph, vectors, embedder } = parts;
  const supplied = claims.filter(claim => claim.embedding?.length === vectors.dimensions);
  const others = claims.filter(claim => !supplied.includes(claim));
  const texts = others.map(claim => claim.memory.content);
  const made = texts.length > 0 ? await embedder.embed(texts, 'document') : [];
  await vectors.upsert([
    ...supplied.map(claim => record(claim, claim.embedding, SUPPLIED_EMBEDDING)),
    ...others.map((claim, index) => record(claim, made[index], embedder.model)),
  ]);
  const settled = [
    ...(await graph.settleWork(tokensOf(supplied), { embeddedBy: SUPPLIED_EMBEDDING })),
    ...(await graph.settleWork(tokensOf(others), { embeddedBy: embedder.model })),
  ];
  await undoOutdated(parts, claims, settled);
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

/** Whether the vector store would hold the same of both records beside their vector. */
export function hasSamePayload(one: Memory, other: Memory): boolean {
  return JSON.stringify(payloadOf(one, '')) === JSON.stringify(payloadOf(other, ''));
}
