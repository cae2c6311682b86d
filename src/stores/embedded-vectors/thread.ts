/** The search thread: reads all vectors, then answers requests one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { END, isStopping } from '../../thread.js';
import { connectReader } from '../database/connection.js';
import { createIndexReader } from './index-reader.js';
import { READY, type ThreadData, type ThreadReply, type ThreadRequest } from './search-thread.js';

const { path, stopFlag } = workerData as ThreadData;
// Any failure from here on ends the thread. The owner then starts another thread, which reads all vectors again.
const reader = createIndexReader(connectReader(path));
reader.load(() => isStopping(stopFlag));

const reply = (answer: ThreadReply) => parentPort?.postMessage(answer);
reply({ number: READY, hits: [] });

parentPort?.on('message', (request: ThreadRequest) => {
  if (isStopping(stopFlag) || request === END) return parentPort?.close();
  if (request.kind === 'refresh') return reader.refresh(request.rows);
  const { number } = request;
  if (request.kind === 'ping') return reply({ number, hits: [] });
  const { search, ahead } = request;
  const receive = (nearest: readonly string[]) => reply({ number, nearest });
  reply({ number, hits: reader.search(search, ahead === undefined ? undefined : { count: ahead, receive }) });
});
