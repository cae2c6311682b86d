/**
 * The program of an encoder: a thread, or with the native runtime a process. A thread ends with an error when the model
 * cannot be loaded or stops working. A process then reports the reason and ends. It also ends when its owner has ended.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../domain/errors.js';
import { type EncoderSource, loadEncoder } from './encoder.js';
import type { EncodeRequest, EncoderReply, ProcessFailure, TextReply } from './encoder-queue.js';

type Serve = (request: EncodeRequest) => Promise<void>;

const HARMLESS_TEXT = 'a';
/**
 * The warm-up text is about as long as the longest text that the default model reads. After four runs almost all code
 * is compiled. The first run takes half a second.
 */
const WARM_UP_TEXT = 'a '.repeat(250);
const WARM_UP_STEPS = 4;

if (parentPort) {
  const port = parentPort;
  port.on('message', await openEncoder(workerData as EncoderSource, reply => port.postMessage(reply)));
} else serveOwner();

function serveOwner(): void {
  // Ignore these signals. A terminal sends them to all processes at once, but the owner still needs this process while
  // it closes.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  let serve: Serve | undefined;
  process.on('message', async (message: EncoderSource | EncodeRequest) => {
    try {
      if ('folder' in message) serve = await openEncoder(message, tell);
      else await serve?.(message);
    } catch (error) {
      tell({ failure: messageOf(error) }, () => {
        // Check the connection, because the failure of another text may have closed it already.
        if (process.connected) process.disconnect();
      });
    }
  });
}

/** Sends a message if the owner still exists. The absence of the owner must not count as a failure of this process. */
function tell(message: EncoderReply | ProcessFailure, onSent = () => {}): void {
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
}

/** @throws Error when the model cannot be loaded */
async function openEncoder(source: EncoderSource, reply: (reply: EncoderReply) => void): Promise<Serve> {
  const encoder = await loadEncoder(source, { mayBeNative: parentPort === null });

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
  // WebAssembly code is optimised only after it has run for a while. Until then a question takes three times as long.
  let isWarm = encoder.runtime.isNative;

  reply({ ready: encoder.runtime });
  return async ({ text }) => {
    await inTurn(async () => reply(await encode(text)));
    if (isWarm) return;
    isWarm = true;
    for (let step = 0; step < WARM_UP_STEPS; step++) {
      await nextTurn();
      await inTurn(() => encode(WARM_UP_TEXT));
    }
  };
}
