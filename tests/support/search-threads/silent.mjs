/** A fake search thread that answers nothing if a file `silent` is beside the vectors when the thread starts. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const isSilent = existsSync(join(dirname(workerData.path), 'silent'));

parentPort.on('message', request => {
  if (request === 'end') return parentPort.close();
  const { kind, number } = request;
  if (isSilent || kind === 'refresh') return;
  parentPort.postMessage({ number, hits: [{ id: 'the-next-thread', similarity: 1 }] });
});
