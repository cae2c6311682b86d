/** Embedding on real stores. A test can delay the embedder and make the vector store fail. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Memory } from '../../src/domain/memory.js';
import type { Embedder } from '../../src/embedding/embedder.js';
import { createHashEmbedder } from '../../src/embedding/hash.js';
import { type EmbedParts, embedMemories } from '../../src/enrichment/enrich-memories.js';
import { startWorker } from '../../src/enrichment/worker.js';
import { createVectorProjection } from '../../src/projection/create-projection.js';
import type { VectorProjection } from '../../src/projection/vector-projection.js';
import { openEmbeddedVectors } from '../../src/stores/embedded-vectors/store.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import type { WorkClaim } from '../../src/stores/ports/work-queue.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import type { VectorStore } from '../../src/stores/vector-store.js';
import { numbersOf, tagged } from '../contracts/graph-harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

export const DIMENSIONS = 64;

export interface TestVectors extends EmbedParts {
  graph: GraphStore;
  vectors: VectorStore;
  projection: VectorProjection;
  /** Sets a function that runs before each embedding. */
  onEmbed(react: (texts: readonly string[]) => unknown): void;
  /** Sets a function that runs before each write of vectors. */
  onUpsert(react: () => unknown): void;
  /** Makes all writes to the vector store fail with the error. Without an error, they succeed again. */
  failVectors(error: Error | undefined): void;
  save(...memories: Memory[]): Promise<void>;
  claim(limit?: number): Promise<WorkClaim[]>;
  embed(claims: readonly WorkClaim[]): Promise<string[]>;
  /** Runs the embedding worker until no work is due. */
  work(): Promise<void>;
  /** Numbers of at most 20 memories, nearest vector first. If `tag` is given, only memories with this tag count. */
  nearest(text: string, tag?: string): Promise<number[]>;
  /** Cosine similarity of the text and the nearest vector. If `tag` is given, only memories with this tag count. */
  closeness(text: string, tag?: string): Promise<number>;
  vectorIds(): Promise<number[]>;
}

/** Opens stores and a worker, which are closed at the end of the test. */
export async function openTestVectors(): Promise<TestVectors> {
  const folder = temporaryFolder();
  const graph = openSqliteStore(folder.path);
  const store = openEmbeddedVectors(folder.path, { dimensions: DIMENSIONS, clock: createManualClock() });
  const hash = createHashEmbedder(DIMENSIONS);
  let react: (texts: readonly string[]) => unknown = () => {};
  let beforeUpsert: () => unknown = () => {};
  let failure: Error | undefined;
  const embedder: Embedder = {
    ...hash,
    embed: async (texts, purpose) => {
      await react(texts);
      return hash.embed(texts, purpose);
    },
  };
  const guarded = failing(store, () => failure);
  const vectors: VectorStore = {
    ...guarded,
    upsert: async records => {
      await beforeUpsert();
      await guarded.upsert(records);
    },
  };
  const projection = createVectorProjection({ graph, vectors, onVectorFailure: () => {} });
  const parts = { graph, vectors, projection, embedder, dimensions: DIMENSIONS };
  const worker = startWorker({
    graph,
    clock: createManualClock(),
    afterRequests: yieldToEventLoop,
    kind: 'embed',
    settings: { batchSize: 20, maxAttempts: 3, backoffMs: 0, leaseMs: 60_000 },
    perform: async (claims, onSettled) => (await embedMemories(parts, claims)).forEach(onSettled),
    tidy: () => projection.repair(),
    onFailure: () => {},
  });
  const search = async (text: string, tag?: string) => {
    const [vector = new Float32Array(DIMENSIONS)] = await hash.embed([text], 'query');
    const filter = tag === undefined ? {} : tagged('exact', 'any', tag);
    return store.search({ vector, limit: 20, filter, models: [hash.model, 'supplied'] });
  };
  onTestFinished(async () => {
    await worker.stop();
    await store.close();
    await graph.close();
    folder.remove();
  });
  return {
    ...parts,
    onEmbed: next => {
      react = next;
    },
    onUpsert: next => {
      beforeUpsert = next;
    },
    failVectors: error => {
      failure = error;
    },
    save: async (...memories) =>
      void (await graph.saveMemories(memories.map(each => ({ memory: each, work: ['embed'] })))),
    claim: (limit = 20) => graph.claimWork({ kind: 'embed', limit, nowMs: NOON, leaseMs: 60_000 }),
    embed: claims => embedMemories(parts, claims),
    work: () => worker.drain(),
    nearest: async (text, tag) => numbersOf((await search(text, tag)).map(({ id }) => id)),
    closeness: async (text, tag) => (await search(text, tag))[0]?.similarity ?? 0,
    vectorIds: async () => {
      const ids: string[] = [];
      for await (const id of store.ids()) ids.push(id);
      return numbersOf(ids.sort());
    },
  };
}

function failing(store: VectorStore, failure: () => Error | undefined): VectorStore {
  const guard =
    <Args extends unknown[]>(method: (...args: Args) => Promise<void>) =>
    async (...args: Args): Promise<void> => {
      const error = failure();
      if (error) throw error;
      await method(...args);
    };
  return {
    ...store,
    upsert: guard(store.upsert),
    updatePayloads: guard(store.updatePayloads),
    remove: guard(store.remove),
  };
}

/** Updates a memory as the engine does. The memory keeps its vector unless `isReembedded` is true. */
export async function change(vectors: TestVectors, number: number, changes: Partial<Memory>, isReembedded = false) {
  await vectors.graph.updateMemory(idOf(number), current => {
    const { embedded_by, ...rest } = current;
    const kept = isReembedded || embedded_by === undefined ? rest : current;
    return { memory: { ...kept, ...changes }, work: isReembedded ? ['embed'] : [] };
  });
}
