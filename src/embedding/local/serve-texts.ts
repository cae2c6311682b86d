/** The work of an encoder, whether it is a thread or a process of its own. */
import { constants, getPriority, setPriority } from 'node:os';
import { messageOf } from '../../domain/errors.js';
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

  reply({ ready: encoder.runtime });
  return { serve: async ({ text }) => reply(await encode(text)) };
}

function yieldToOthers(): void {
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // A system that forbids it runs the model all the same.
  }
}
