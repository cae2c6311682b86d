/**
 * The thread that the model runs in. It ends with an error when the model cannot be loaded, or has stopped working: its
 * owner then starts another.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../domain/errors.js';
import { type EncoderSource, loadEncoder } from './encoder.js';
import type { EncodeReply, EncodeRequest } from './messages.js';

const HARMLESS_TEXT = 'a';

const encoder = await loadEncoder(workerData as EncoderSource);

/** A runtime that is out of memory fails for every text from then on: that says nothing about this one. */
async function encode(text: string): Promise<EncodeReply> {
  try {
    return { vector: new Float32Array(await encoder.encode(text)) };
  } catch (error) {
    await encoder.encode(HARMLESS_TEXT).catch(() => {
      throw error;
    });
    return { problem: messageOf(error) };
  }
}

parentPort?.on('message', async ({ text }: EncodeRequest) => {
  const reply = await encode(text);
  parentPort?.postMessage(reply, 'vector' in reply ? [reply.vector.buffer] : []);
});
