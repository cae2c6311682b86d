/** The thread that finds groups, because the search takes seconds for many memories and makes no pauses. */
import { parentPort, workerData } from 'node:worker_threads';
import { findGroups, type GroupingData } from './communities.js';

const search = findGroups(workerData as GroupingData);
let step = search.next();
while (!step.done) {
  parentPort?.postMessage(undefined);
  step = search.next();
}
parentPort?.postMessage(step.value);
