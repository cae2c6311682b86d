/** A queue of texts to embed. Several texts may be taken at the same time. */
import { MemoryError } from '../../domain/errors.js';
import type { EmbeddingPurpose } from '../embedder.js';
import type { TextReply } from './messages.js';

interface Job {
  purpose: EmbeddingPurpose;
  texts: readonly string[];
  /** Vectors at the positions of their texts. The vectors may arrive in any order. */
  vectors: Float32Array[];
  /** All texts before this position have been taken. */
  next: number;
  /** Positions of texts that were given back. */
  returned: number[];
  /** Number of texts without a vector. */
  left: number;
  resolve(vectors: Float32Array[]): void;
  reject(error: MemoryError): void;
}

/** A text that was taken from the queue. Exactly one of these methods must be called for each text. */
export interface TextInWork {
  text: string;
  settle(reply: TextReply): void;
  /** Reports a failure of the model: the whole request of the text fails. */
  fail(error: MemoryError): void;
  /** Returns the text to the queue, where it waits again. The model must not have begun the text. */
  giveBack(): void;
}

export interface TextQueue {
  /**
   * @throws MemoryError `invalid` when one of the texts cannot be embedded, or the error that was passed to `fail` or
   * `failAll`
   */
  add(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
  /** Number of texts that nobody has taken. */
  waiting(purpose: EmbeddingPurpose): number;
  /** Takes the text that has waited longest. */
  take(purpose: EmbeddingPurpose): TextInWork | undefined;
  /** Fails all requests, including those that have been started. */
  failAll(error: MemoryError): void;
}

const untaken = ({ texts, next, returned }: Job) => texts.length - next + returned.length;

export function createTextQueue(): TextQueue {
  /** Requests with texts that nobody has taken. */
  const queues: Record<EmbeddingPurpose, Job[]> = { query: [], document: [] };
  const open = new Set<Job>();
  /** Number of texts that nobody has taken. A counter is faster than adding up thousands of requests each time. */
  const waiting: Record<EmbeddingPurpose, number> = { query: 0, document: 0 };

  const drop = (job: Job, error: MemoryError) => {
    if (open.delete(job)) waiting[job.purpose] -= untaken(job);
    for (const queue of Object.values(queues)) if (queue.includes(job)) queue.splice(queue.indexOf(job), 1);
    job.reject(error);
  };

  const settle = (job: Job, index: number, reply: TextReply) => {
    if ('problem' in reply)
      return drop(job, new MemoryError('invalid', `The local model cannot embed this text: ${reply.problem}`));
    job.vectors[index] = reply.vector;
    job.left -= 1;
    if (job.left > 0) return;
    open.delete(job);
    job.resolve(job.vectors);
  };

  return {
    add: async (texts, purpose) => {
      if (texts.length === 0) return [];
      return new Promise((resolve, reject) => {
        const job = { purpose, texts, vectors: [], next: 0, returned: [], left: texts.length, resolve, reject };
        open.add(job);
        queues[purpose].push(job);
        waiting[purpose] += texts.length;
      });
    },
    waiting: purpose => waiting[purpose],
    take: purpose => {
      const [job] = queues[purpose];
      if (!job) return undefined;
      const index = job.returned.pop() ?? job.next++;
      waiting[purpose] -= 1;
      if (untaken(job) === 0) queues[purpose].shift();
      return {
        text: job.texts[index] ?? '',
        settle: reply => settle(job, index, reply),
        fail: error => drop(job, error),
        giveBack: () => {
          if (!open.has(job)) return;
          if (untaken(job) === 0) queues[purpose].unshift(job);
          job.returned.push(index);
          waiting[purpose] += 1;
        },
      };
    },
    failAll: error => {
      for (const job of [...open]) drop(job, error);
    },
  };
}
