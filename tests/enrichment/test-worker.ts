/** A worker on a real queue. The test controls the clock and the outcome of each batch. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import type { WorkSettings } from '../../src/domain/settings.js';
import { startWorker, type Worker, type WorkerOptions } from '../../src/enrichment/worker.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import type { WorkClaim } from '../../src/stores/ports/work-queue.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { numbersOf } from '../contracts/graph-harness.js';
import { createManualClock, type ManualClock } from '../support/manual-clock.js';
import { memory } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SETTINGS: WorkSettings = {
  batchSize: 20,
  maxAttempts: 3,
  backoffMs: 5_000,
  leaseMs: 60_000,
};

export interface TestWorker {
  graph: GraphStore;
  clock: ManualClock;
  worker: Worker;
  /** The numbers of the memories of each attempted batch. */
  batches: number[][];
  failures: { message: string; isFinal: boolean }[];
  /** Saves memories that wait for embedding and notifies the worker, as a write does. */
  add(...numbers: number[]): Promise<void>;
  /** For each batch that settled claims, their number as the worker reports it. */
  settled: number[];
  /**
   * Sets a function that runs before a batch is settled. The function may settle some claims with `settle`. The batch
   * fails if the function throws.
   */
  onBatch(react: (numbers: number[], claims: readonly WorkClaim[], settle: Settle) => unknown): void;
  /** Claims the waiting work as another process does. */
  claimElsewhere(leaseMs: number): Promise<WorkClaim[]>;
}

type Settle = (claims: readonly WorkClaim[]) => Promise<void>;

export interface TestWorkerOptions extends Partial<Pick<WorkerOptions, 'tidy'>> {
  settings?: Partial<WorkSettings>;
  /** Numbers of the memories that wait before the worker starts. */
  waiting?: number[];
  /** Wraps the store that the worker uses as its queue. */
  wrap?: (graph: GraphStore) => GraphStore;
}

/** Opens a store and a worker, which are closed at the end of the test. */
export async function openTestWorker({ settings, waiting, wrap, tidy }: TestWorkerOptions = {}): Promise<TestWorker> {
  const folder = temporaryFolder();
  const graph = openSqliteStore(folder.path);
  const clock = createManualClock();
  const batches: number[][] = [];
  const failures: TestWorker['failures'] = [];
  const settled: number[] = [];
  let react: Parameters<TestWorker['onBatch']>[0] = () => {};
  const save = (numbers: readonly number[]) =>
    graph.saveMemories(numbers.map(number => ({ memory: memory(number), work: ['embed'] })));
  await save(waiting ?? []);

  const worker = startWorker({
    graph: wrap ? wrap(graph) : graph,
    clock,
    afterRequests: yieldToEventLoop,
    kind: 'embed',
    settings: { ...SETTINGS, ...settings },
    perform: async (claims, onSettled) => {
      const settle: Settle = async some => {
        const tokens = some.map(({ token }) => token);
        for (const token of await graph.settleWork(tokens, { embeddedBy: 'm' })) onSettled(token);
      };
      const numbers = numbersOf(claims.map(claim => claim.memory.id));
      batches.push(numbers);
      await react(numbers, claims, settle);
      await settle(claims);
    },
    onSettled: count => settled.push(count),
    ...(tidy && { tidy }),
    onFailure: (error, isFinal) => failures.push({ message: (error as Error).message, isFinal }),
  });
  onTestFinished(async () => {
    await worker.stop();
    await graph.close();
    folder.remove();
  });
  return {
    graph,
    clock,
    worker,
    batches,
    failures,
    settled,
    add: async (...numbers) => {
      await save(numbers);
      worker.notify();
    },
    onBatch: next => {
      react = next;
    },
    claimElsewhere: leaseMs => graph.claimWork({ kind: 'embed', limit: 100, nowMs: clock.nowMs(), leaseMs }),
  };
}

export function outage(): MemoryError {
  return new MemoryError('unavailable', 'away');
}

/** `1..count`. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
