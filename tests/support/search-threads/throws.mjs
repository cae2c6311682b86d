/** A fake search thread that fails on every request. */
import { parentPort } from 'node:worker_threads';

parentPort.on('message', () => {
  throw new Error('the file is malformed');
});
