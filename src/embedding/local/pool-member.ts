/** One encoder of a pool: what it is for, what it was given, and whether it can be given more. */
import type { MemoryError } from '../../domain/errors.js';
import type { EmbeddingPurpose } from '../embedder.js';
import type { EncoderSource } from './encoder.js';
import type { StartHost } from './encoder-host.js';
import type { EncoderReply } from './messages.js';
import type { RuntimeInUse } from './runtime.js';
import type { TextInWork } from './text-queue.js';

export interface MemberParts {
  source: EncoderSource;
  startHost: StartHost;
}

export interface MemberEvents {
  onReady(runtime: RuntimeInUse): void;
  /** It has done a text, or found that it cannot be done. */
  onText(): void;
  /**
   * It has ended. May come twice, and also after `end`.
   *
   * @param problem to follow the name of what has failed
   */
  onEnd(problem: string, cause?: unknown): void;
}

export interface PoolMember {
  readonly purpose: EmbeddingPurpose;
  /** Its model is loaded. */
  readonly isReady: boolean;
  /** It has embedded something. */
  readonly isProven: boolean;
  readonly isIdle: boolean;
  readonly hasRoom: boolean;
  give(work: TextInWork): void;
  /** The text in work is lost with its request; those behind it wait again. */
  abandonWork(error: MemoryError): void;
  end(): Promise<void>;
}

/** Texts that an encoder is given at once. One that works on memories need not wait for us before it begins the next. */
const AHEAD = { query: 1, document: 2 } as const;

export function startMember(purpose: EmbeddingPurpose, parts: MemberParts, events: MemberEvents): PoolMember {
  /** In the order in which it does them. */
  const work: TextInWork[] = [];
  let isReady = false;
  let isProven = false;

  const note = (reply: EncoderReply) => {
    if ('ready' in reply) {
      isReady = true;
      events.onReady(reply.ready);
    } else {
      isProven = true;
      work.shift()?.settle(reply);
      events.onText();
    }
    // Only a busy one keeps the process alive.
    if (work.length === 0) host.setAwaited(false);
  };
  const start = { source: parts.source, isInBackground: purpose === 'document' };
  const host = parts.startHost(start, { onReply: note, onEnd: events.onEnd });

  return {
    purpose,
    get isReady() {
      return isReady;
    },
    get isProven() {
      return isProven;
    },
    get isIdle() {
      return isReady && work.length === 0;
    },
    get hasRoom() {
      return isReady && work.length < AHEAD[purpose];
    },
    give: text => {
      work.push(text);
      host.setAwaited(true);
      host.send({ text: text.text });
    },
    abandonWork: error => {
      const [begun, ...ahead] = work.splice(0);
      begun?.fail(error);
      for (const text of ahead) text.giveBack();
    },
    end: () => host.end(),
  };
}
