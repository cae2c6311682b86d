/**
 * An encoder as a thread. It ends with an error when the model cannot be loaded, or has stopped working: its owner then
 * starts another.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { EncoderStart } from './messages.js';
import { openTextServer } from './serve-texts.js';

const server = await openTextServer(workerData as EncoderStart, {
  isProcess: false,
  reply: message => parentPort?.postMessage(message),
});
parentPort?.on('message', server.serve);
