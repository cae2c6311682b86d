/** A fake search thread that ends on the first request. */
import { parentPort } from 'node:worker_threads';

parentPort.on('message', () => process.exit(3));
