/** A thread that checks a file: the check reads all of it. */
import { parentPort, workerData } from 'node:worker_threads';
import { connectReader } from './connection.js';

const PROBLEMS_MAX = 3;

const connection = connectReader((workerData as { path: string }).path);
const rows = connection.all<{ quick_check: string }>(`PRAGMA quick_check(${PROBLEMS_MAX})`);
parentPort?.postMessage(rows.map(row => row.quick_check));
