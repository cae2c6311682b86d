/**
 * Searches the vectors of a file: few vectors on this thread, because a thread of their own would take longer to start
 * than all searches, and many on the search thread.
 *
 * A thread that fails, or does not answer for too long, is ended, and the next search starts another thread. A new
 * thread can always read the vectors again from the file.
 */
import type { Worker } from 'node:worker_threads';
import { MemoryError, StoreStarting } from '../../domain/errors.js';
import type { Clock } from '../../domain/time.js';
import { createStopFlag, type END, endThread, requestEnd, type StopFlag, startThread } from '../../thread.js';
import type { Connection } from '../database/connection.js';
import type { EarlyIds, VectorHit } from '../vector-store.js';
import { createIndexReader, type IndexReader, type ReaderSearch } from './index-reader.js';

export interface VectorSearcher {
  /** @throws MemoryError `unavailable` when the vectors cannot be searched */
  search(search: ReaderSearch, ahead?: EarlyIds): Promise<VectorHit[]>;
  /** Resolves when all earlier requests have been handled. */
  ping(): Promise<void>;
  /** Reports rows that were written or removed. Every later search sees these changes. */
  refresh(rows: readonly number[]): void;
  close(): Promise<void>;
}

export interface SearchThreadParts {
  /** The SQLite file. */
  path: string;
  clock: Pick<Clock, 'schedule' | 'elapsedMs'>;
  /** Replaces the thread in tests. */
  start?(data: ThreadData): Worker;
}

export interface VectorSearchParts extends SearchThreadParts {
  /** Connection to the file at `path`. */
  connection: Connection;
  countVectors(): number;
}

/** Number of vectors up to which this thread searches. Searching so few vectors takes a fraction of a millisecond. */
const FEW = 1_000;

export function createVectorSearcher({ connection, countVectors, ...parts }: VectorSearchParts): VectorSearcher {
  const thread = createSearchThread(parts);
  /** Absent before the first search, and once the search thread has read all vectors. */
  let here: IndexReader | undefined;
  let isOnThread = false;

  const open = (): IndexReader | undefined => {
    isOnThread ||= !here && countVectors() > FEW;
    if (here || isOnThread) return here;
    const reader = createIndexReader(connection);
    reader.load();
    here = reader;
    return here;
  };
  const moveToThread = () => {
    isOnThread = true;
    thread.ping().then(
      () => {
        here = undefined;
      },
      () => {
        isOnThread = false;
      },
    );
  };

  return {
    search: async (search, ahead) => open()?.search(search, ahead) ?? thread.search(search, ahead),
    ping: async () => void (open() ?? (await thread.ping())),
    refresh: rows => {
      try {
        here?.refresh(rows);
      } catch {
        // The rows have been written despite this failure. The next search reads all vectors again.
        here = undefined;
      }
      thread.refresh(rows);
      if (here && here.size > FEW && !isOnThread) moveToThread();
    },
    close: async () => {
      here = undefined;
      isOnThread = true;
      await thread.close();
    },
  };
}

export type ThreadRequest =
  /** `ahead` is the number of nearest ids that the thread sends in a message of their own before the hits. */
  | { kind: 'search'; number: number; search: ReaderSearch; ahead?: number }
  /** Rows that were written or removed. */
  | { kind: 'refresh'; rows: readonly number[] }
  /** A request that is answered once all earlier requests are done. */
  | { kind: 'ping'; number: number }
  | typeof END;

/** Number of the reply that the thread sends, without a request, once it has read all vectors. */
export const READY = 0;

/** `number` is the number of the request, or `READY`. */
export type ThreadReply = { number: number; hits: VectorHit[] } | { number: number; nearest: readonly string[] };

export interface ThreadData {
  /** The SQLite file. */
  path: string;
  stopFlag: StopFlag;
}

/** Time limit for a search, which usually takes milliseconds. After this time, a recall continues without vectors. */
const ANSWER_TIMEOUT_MS = 2_000;
/**
 * Maximum silence of a thread while a caller waits. A thread that is silent for longer counts as dead. Reading several
 * million vectors takes most of this time.
 */
const SILENCE_MAX_MS = 120_000;

const NO_ANSWER = `it has not answered within ${ANSWER_TIMEOUT_MS / 1000} seconds`;
const STILL_READING =
  'The vectors are still being read from the disk. Until they are read, recall searches by words only';

interface Waiting {
  ahead: EarlyIds | undefined;
  resolve(hits: VectorHit[]): void;
  reject(error: MemoryError): void;
}

/** One running thread. */
interface Running {
  worker: Worker;
  stopFlag: StopFlag;
  waiting: Map<number, Waiting>;
  /** Time of the last message from the thread. If the thread was idle since, the time of the first call that waits. */
  heardMs: number;
  hasRead: boolean;
}

function startSearchWorker(data: ThreadData): Worker {
  return startThread(new URL('./thread.js', import.meta.url), data);
}

/** The thread starts on first use. */
export function createSearchThread({
  path,
  clock,
  start: startWorker = startSearchWorker,
}: SearchThreadParts): VectorSearcher {
  let running: Running | undefined;
  let lastNumber = READY;
  let isClosed = false;

  const start = (): Running => {
    const stopFlag = createStopFlag();
    const worker = startWorker({ path, stopFlag });
    const started: Running = { worker, stopFlag, waiting: new Map(), heardMs: clock.elapsedMs(), hasRead: false };
    worker.on('message', (reply: ThreadReply) => {
      // A late answer must not call `unref` on a thread that `close` is waiting for.
      if (running !== started) return;
      started.heardMs = clock.elapsedMs();
      if (reply.number === READY) started.hasRead = true;
      const waiting = started.waiting.get(reply.number);
      if ('nearest' in reply) return waiting?.ahead?.receive(reply.nearest);
      started.waiting.delete(reply.number);
      if (started.waiting.size === 0) worker.unref();
      waiting?.resolve(reply.hits);
    });
    worker.on('error', error => end(started, error.message));
    worker.on('exit', code => end(started, `its thread ended with code ${code}`));
    return started;
  };

  const end = (ended: Running, reason: string): void => {
    if (running === ended) running = undefined;
    for (const { reject } of ended.waiting.values()) reject(unavailable(reason));
    ended.waiting.clear();
    // This function does not wait until the thread has ended, because the thread may be in a call that never returns.
    requestEnd(ended.worker, ended.stopFlag);
    ended.worker.unref();
  };

  const ask = (request: (number: number) => ThreadRequest, ahead?: EarlyIds): Promise<VectorHit[]> => {
    if (isClosed) return Promise.reject(unavailable('it is closed'));
    running ??= start();
    const asked = running;
    if (asked.waiting.size === 0) asked.heardMs = clock.elapsedMs();
    const number = ++lastNumber;
    return new Promise((resolve, reject) => {
      const cancel = clock.schedule(ANSWER_TIMEOUT_MS, () => {
        reject(asked.hasRead ? unavailable(NO_ANSWER) : new StoreStarting('unavailable', STILL_READING));
        const silenceMs = clock.elapsedMs() - asked.heardMs;
        if (silenceMs > SILENCE_MAX_MS) end(asked, 'its thread no longer answers');
      });
      asked.waiting.set(number, {
        ahead,
        resolve: hits => {
          cancel();
          resolve(hits);
        },
        reject: error => {
          cancel();
          reject(error);
        },
      });
      // The thread keeps the process alive only until it has answered all requests.
      asked.worker.ref();
      asked.worker.postMessage(request(number));
    });
  };

  return {
    search: (search, ahead) =>
      ask(number => ({ kind: 'search', number, search, ...(ahead && { ahead: ahead.count }) }), ahead),
    ping: async () => void (await ask(number => ({ kind: 'ping', number }))),
    refresh: rows => running?.worker.postMessage({ kind: 'refresh', rows } satisfies ThreadRequest),
    close: async () => {
      isClosed = true;
      if (!running) return;
      const { worker, stopFlag } = running;
      end(running, 'it is closed');
      await endThread(worker, stopFlag);
    },
  };
}

/** Means that only the vector search has failed. Writing, and reading by id, still work. */
class SearchFailure extends MemoryError {}

export function isSearchFailure(error: MemoryError): boolean {
  return error instanceof SearchFailure || error instanceof StoreStarting;
}

function unavailable(reason: string): MemoryError {
  return new SearchFailure('unavailable', `The vector search has failed: ${reason}`);
}
