/** The work of an encoder, whether it is a thread or a process of its own. */
import { constants, getPriority, setPriority } from 'node:os';
import { messageOf } from '../../domain/errors.js';
import { yieldToEventLoop } from '../../event-loop.js';
import { loadEncoder } from './encoder.js';
import type { EncodeRequest, EncoderReply, EncoderStart, TextReply } from './messages.js';

export interface ServedBy {
  /** As a process of its own. */
  isProcess: boolean;
  reply(reply: EncoderReply): void;
}

export interface TextServer {
  serve(request: EncodeRequest): Promise<void>;
}

const HARMLESS_TEXT = 'a';
/** Most models see no more than this. After four runs hardly anything is left to compile; the first takes half a second. */
const WARM_UP_TEXT = 'a '.repeat(250);
const WARM_UP_STEPS = 4;

/** @throws Error when the model cannot be loaded */
export async function openTextServer(
  { source, isInBackground }: EncoderStart,
  { isProcess, reply }: ServedBy,
): Promise<TextServer> {
  // On Linux the priority is that of the calling thread, elsewhere that of the whole process.
  if (isInBackground && (isProcess || process.platform === 'linux')) yieldToOthers();
  const encoder = await loadEncoder(source, { mayBeNative: isProcess });

  /** A runtime that is out of memory fails for every text from then on: that says nothing about this one. */
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

  /** The text in work, and those behind it. */
  let work: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(step: () => Promise<Result>): Promise<Result> => {
    const done = work.then(step);
    work = done;
    return done;
  };
  // An encoder with many texts is warm soon without this.
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

/** WebAssembly is compiled well only when it has run for a while, until which a question takes three times as long. */
async function warmUp(step: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < WARM_UP_STEPS; count++) {
    await yieldToEventLoop();
    await step();
  }
}

function yieldToOthers(): void {
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // A system that forbids it runs the model all the same.
  }
}
