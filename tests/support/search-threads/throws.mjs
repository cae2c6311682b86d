/** Stands in for the search thread: every request is too much for it. */
import { parentPort } from 'node:worker_threads';

parentPort.on('message', () => {
  throw new Error('the file is malformed');
});
