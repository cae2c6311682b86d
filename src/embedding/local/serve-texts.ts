/** The work of an encoder, in a thread or in a process of its own. */
import { constants, getPriority, setPriority } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '../../domain/errors.js';
import { loadEncoder } from './encoder.js';
import type { EncodeRequest, EncoderReply, EncoderStart, TextReply } from './messages.js';

export interface ServedBy {
  /** Whether the encoder has a process of its own. */
  isProcess: boolean;
  reply(reply: EncoderReply): void;
}

export interface TextServer {
  serve(request: EncodeRequest): Promise<void>;
}

const HARMLESS_TEXT = 'a';
/**
 * The warm-up text is about as long as the longest text that the default model reads. After four runs almost all code
 * is compiled. The first run takes half a second.
 */
const WARM_UP_TEXT = 'a '.repeat(250);
const WARM_UP_STEPS = 4;

/** @throws Error when the model cannot be loaded */
export async function openTextServer(
  { source, isInBackground }: EncoderStart,
  { isProcess, reply }: ServedBy,
): Promise<TextServer> {
  // The priority applies to the calling thread on Linux, but to the whole process on other systems.
  if (isInBackground && (isProcess || process.platform === 'linux')) lowerPriority();
  const encoder = await loadEncoder(source, { mayBeNative: isProcess });

  /**
   * Encodes a text. If the text fails and HARMLESS_TEXT fails too, the runtime is the cause, for example because it is
   * out of memory. The failure of the text is then thrown, because every later text would fail too.
   */
  const encode = async (text: string): Promise<TextReply> => {
    try {
      return { vector: await encoder.encode(text) };
    } catch (error) {
      await encoder.encode(HARMLESS_TEXT).catch(() => {
        throw error;
      });
      return { problem: messageOf(error) };
    }
  };

  /** Settles when the current text and the texts queued after it are done. */
  let work: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(step: () => Promise<Result>): Promise<Result> => {
    const done = work.then(step);
    work = done;
    return done;
  };
  // A native runtime needs no warm-up. A background encoder needs none either, because its many texts soon warm it up.
  let isWarm = encoder.runtime.isNative || isInBackground;

  reply({ ready: encoder.runtime });
  return {
    serve: async ({ text }) => {
      await inTurn(async () => reply(await encode(text)));
      if (isWarm) return;
      isWarm = true;
      await warmUp(() => inTurn(() => encode(WARM_UP_TEXT)));
    },
  };
}

/** WebAssembly code is optimised only after it has run for a while. Until then a question takes three times as long. */
async function warmUp(step: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < WARM_UP_STEPS; count++) {
    await nextTurn();
    await step();
  }
}

function lowerPriority(): void {
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Continue at normal priority if the system forbids a lower priority.
  }
}
