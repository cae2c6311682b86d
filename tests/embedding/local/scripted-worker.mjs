/** Stands in for the real encoder: each text tells it how to behave. */
import { parentPort, workerData } from 'node:worker_threads';

if (workerData.name === 'broken') throw new Error('no such model');

parentPort.postMessage({ ready: { isNative: false } });
parentPort.on('message', ({ text }) => {
  if (text === 'crash') throw new Error('out of memory');
  if (text === 'exit') process.exit(3);
  if (text === 'odd') return parentPort.postMessage({ problem: 'too odd' });
  // This loop never ends. It stands for the work on a very long text.
  if (text === 'forever') for (;;);
  process.stdout.write('printed by a package\n');
  parentPort.postMessage({ vector: new Float32Array([text.length]) });
});
