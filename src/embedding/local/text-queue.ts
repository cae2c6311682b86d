/** Texts that wait to be embedded, one at a time: questions before documents. */
import { MemoryError } from '../../domain/errors.js';
import type { EmbeddingPurpose } from '../embedder.js';
import type { EncodeReply } from './messages.js';

interface Job {
  texts: readonly string[];
  /** Those that are done: the next text is the one behind. */
  vectors: Float32Array[];
  resolve(vectors: Float32Array[]): void;
  reject(error: MemoryError): void;
}

export interface TextQueue {
  /** @throws MemoryError `invalid` when one of the texts cannot be embedded, or what `failAll` was called with */
  add(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
  /** Takes the next text in work. Undefined when there is none, or when one is in work already. */
  next(): string | undefined;
  /** What became of the text in work. */
  settle(reply: EncodeReply): void;
  /** Gives up all that waits or is in work. */
  failAll(error: MemoryError): void;
}

export function createTextQueue(): TextQueue {
  const queues: Record<EmbeddingPurpose, Job[]> = { query: [], document: [] };
  let current: Job | undefined;

  const remove = (job: Job) => {
    for (const queue of Object.values(queues)) if (queue.includes(job)) queue.splice(queue.indexOf(job), 1);
  };

  return {
    add: async (texts, purpose) => {
      if (texts.length === 0) return [];
      return new Promise((resolve, reject) => queues[purpose].push({ texts, vectors: [], resolve, reject }));
    },
    next: () => {
      if (current) return undefined;
      current = queues.query[0] ?? queues.document[0];
      return current?.texts[current.vectors.length];
    },
    settle: reply => {
      const job = current;
      current = undefined;
      if (!job) return;
      if ('vector' in reply) job.vectors.push(reply.vector);
      else job.reject(new MemoryError('invalid', `The local model cannot embed this text: ${reply.problem}`));
      if ('problem' in reply || job.vectors.length === job.texts.length) remove(job);
      if (job.vectors.length === job.texts.length) job.resolve(job.vectors);
    },
    failAll: error => {
      current = undefined;
      for (const queue of Object.values(queues)) for (const job of queue.splice(0)) job.reject(error);
    },
  };
}
