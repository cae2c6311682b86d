/** Stands in for the search thread: it ends with the first request. */
import { parentPort } from 'node:worker_threads';

parentPort.on('message', () => process.exit(3));
