/** The thread that checks a file, one table after the other. The check reads the whole file. */
import { parentPort, workerData } from 'node:worker_threads';
import { END, isStopping } from '../../thread.js';
import { connectReader } from './connection.js';
import type { CheckData } from './integrity-check.js';

const PROBLEMS_MAX = 3;

const { path, stopFlag } = workerData as CheckData;
const connection = connectReader(path);
const tables = connection.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
const problems: string[] = [];
for (const { name } of tables) {
  if (isStopping(stopFlag) || problems.length >= PROBLEMS_MAX) break;
  const rows = connection.all<{ quick_check: string }>(`PRAGMA quick_check("${name.replaceAll('"', '""')}")`);
  problems.push(...rows.map(row => row.quick_check).filter(line => line !== 'ok'));
}
if (!isStopping(stopFlag)) parentPort?.postMessage(problems.slice(0, PROBLEMS_MAX));
parentPort?.on('message', message => {
  if (message === END) parentPort?.close();
});
