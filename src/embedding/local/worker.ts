/**
 * Runs an encoder as a thread. The thread ends with an error when the model cannot be loaded or stops working. Its
 * owner then starts another thread.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { EncoderStart } from './messages.js';
import { openTextServer } from './serve-texts.js';

const server = await openTextServer(workerData as EncoderStart, {
  isProcess: false,
  reply: message => parentPort?.postMessage(message),
});
parentPort?.on('message', server.serve);
