/** One encoder of a pool: its purpose, the texts it was given, and whether it can accept more. */
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
  /** Called when the encoder has embedded a text, or has found that it cannot embed the text. */
  onText(): void;
  /**
   * Called when the encoder has ended; may be called twice, and also after `end`.
   *
   * @param problem a clause that follows the name of the failed part
   */
  onEnd(problem: string, cause?: unknown): void;
}

export interface PoolMember {
  readonly purpose: EmbeddingPurpose;
  /** Whether the encoder's model is loaded. */
  readonly isReady: boolean;
  /** Whether the encoder has replied to a text. */
  readonly isProven: boolean;
  readonly isIdle: boolean;
  readonly hasRoom: boolean;
  give(work: TextInWork): void;
  /** Fails the request that contains the current text. The texts after this text return to the queue. */
  abandonWork(error: MemoryError): void;
  end(): Promise<void>;
}

/**
 * Maximum number of texts that an encoder has at once. An encoder for memories gets the second text while it handles
 * the first, so it need not wait for a message between two texts.
 */
const AHEAD = { query: 1, document: 2 } as const;

export function startMember(purpose: EmbeddingPurpose, parts: MemberParts, events: MemberEvents): PoolMember {
  /** Texts in the order in which the encoder handles them. */
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
    // Only a busy encoder keeps the process alive.
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
