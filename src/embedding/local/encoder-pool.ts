/**
 * The encoders of a model: one for questions, and more for memories while many memories wait. The encoders start on
 * first use, and failed encoders are replaced.
 */
import { MemoryError } from '../../domain/errors.js';
import type { Clock } from '../../domain/time.js';
import type { EmbeddingPurpose } from '../embedder.js';
import { createBackoff } from './backoff.js';
import type { EncoderSource } from './encoder.js';
import type { StartHost } from './encoder-host.js';
import { type PoolMember, startMember } from './pool-member.js';
import type { RuntimeInUse } from './runtime.js';
import { createTextQueue, type TextInWork } from './text-queue.js';

export interface EncoderPoolParts {
  log: { warn(message: string): void };
  clock: Pick<Clock, 'elapsedMs' | 'schedule'>;
  /**
   * Maximum number of encoders for memories, besides the encoder for questions. If 0, the encoder for questions also
   * embeds memories.
   */
  documentEncoders: number;
  startHost: StartHost;
  /** Called when the first encoder is ready. */
  onRuntime(runtime: RuntimeInUse): void;
}

export interface EncoderPool {
  /**
   * Returns the vectors of texts, in order, of unit length and with the model's own dimension. A question waits only
   * for other questions, or for one text if a single encoder also embeds memories.
   *
   * @throws MemoryError `unavailable` when the model cannot be used, `invalid` when the model works but cannot embed
   * one of these texts
   */
  encode(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
  /** Ends all encoders, in the middle of a text if necessary. Waiting texts fail with `unavailable`. */
  close(): Promise<void>;
}

/**
 * From this number of waiting texts on, more encoders are started. A shorter queue is empty before another encoder
 * could load its model, and each encoder keeps a copy of the model in memory.
 */
const MANY_TEXTS = 8;
/** After this time without memories to embed, the encoders for memories end and free the space that they use. */
const IDLE_MS = 60_000;

const unavailable = (problem: string, cause?: unknown) =>
  new MemoryError('unavailable', `The local model ${problem}`, { cause });

export function createEncoderPool(source: EncoderSource, parts: EncoderPoolParts): EncoderPool {
  const queue = createTextQueue();
  const members = new Set<PoolMember>();
  /** Delays another attempt to load a model, because each attempt occupies a core for a while. */
  const backoffs = { query: createBackoff(parts.clock), document: createBackoff(parts.clock) };
  let isRuntimeKnown = false;
  let isClosed = false;

  const membersFor = (purpose: EmbeddingPurpose) => [...members].filter(member => member.purpose === purpose);

  const start = (purpose: EmbeddingPurpose) => {
    const member = startMember(
      purpose,
      { source, startHost: parts.startHost },
      {
        onReady: runtime => {
          if (!isRuntimeKnown) parts.onRuntime(runtime);
          isRuntimeKnown = true;
          proceed();
        },
        onText: () => {
          backoffs[purpose].succeed();
          proceed();
        },
        onEnd: (problem, cause) => lose(member, problem, cause),
      },
    );
    members.add(member);
  };

  const lose = (member: PoolMember, problem: string, cause: unknown) => {
    if (!members.delete(member)) return;
    if (!member.isProven) backoffs[member.purpose].fail();
    parts.log.warn(`the local model ${problem}`);
    const error = unavailable('has failed: see the log', cause);
    member.abandonWork(error);
    if (members.size === 0) queue.failAll(error);
    proceed();
  };

  /**
   * While an encoder for the other purpose is ready, an encoder takes only texts of its own purpose. Otherwise it takes
   * texts of both purposes, questions first.
   */
  const takeFor = ({ purpose }: PoolMember): TextInWork | undefined => {
    const other = purpose === 'query' ? 'document' : 'query';
    const isAlone = !membersFor(other).some(({ isReady }) => isReady);
    return isAlone ? (queue.take('query') ?? queue.take('document')) : queue.take(purpose);
  };

  const occupy = (member: PoolMember) => {
    while (member.hasRoom) {
      const work = takeFor(member);
      if (!work) return;
      member.give(work);
    }
  };

  const startMissing = () => {
    const isMissing = members.size === 0 || (queue.waiting('query') > 0 && membersFor('query').length === 0);
    const isWaiting = queue.waiting('query') + queue.waiting('document') > 0;
    if (isWaiting && isMissing && backoffs.query.isDue()) start('query');
    const isLoadable = [...members].some(({ isReady }) => isReady);
    if (!isLoadable || queue.waiting('document') < MANY_TEXTS || !backoffs.document.isDue()) return;
    while (membersFor('document').length < parts.documentEncoders) start('document');
  };

  const idleWatch = createIdleWatch(parts.clock, () => {
    for (const member of membersFor('document')) {
      members.delete(member);
      void member.end();
    }
  });

  const proceed = () => {
    for (const member of members) occupy(member);
    startMissing();
    const documents = membersFor('document');
    idleWatch.note(documents.length > 0 && documents.every(({ isIdle }) => isIdle));
  };

  return {
    encode: async (texts, purpose) => {
      if (isClosed) throw unavailable('is closed');
      if (members.size === 0 && !backoffs.query.isDue())
        throw unavailable('has failed and is tried again later: see the log');
      const vectors = queue.add(texts, purpose);
      proceed();
      return vectors;
    },
    close: async () => {
      isClosed = true;
      idleWatch.note(false);
      const ending = [...members];
      members.clear();
      queue.failAll(unavailable('is closed'));
      await Promise.all(ending.map(member => member.end()));
    },
  };
}

/** Calls `onIdle` after IDLE_MS without work. */
function createIdleWatch(clock: Pick<Clock, 'schedule'>, onIdle: () => void) {
  let cancel: (() => void) | undefined;
  return {
    note: (isIdle: boolean) => {
      if (!isIdle) cancel?.();
      cancel = isIdle ? (cancel ?? clock.schedule(IDLE_MS, onIdle)) : undefined;
    },
  };
}
