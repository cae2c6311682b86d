/**
 * Runs the tests' stand-in for a Qdrant server as a separate process, for benchmarks without a real server. A search
 * compares about as many vectors as a real server does. It chooses them without regard to the query, so its results are
 * worse. LATENCY_MS is added to each answer.
 *
 *   node tests/bench/qdrant-stand-in.mjs [LATENCY_MS]
 *
 * The first line on stdout is the URL. On SIGTERM, the process prints the number of requests of each kind on stderr.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { loadTypeScript } from './load-typescript.mjs';

/** Estimated number of comparisons at the default `hnsw_ef` of 128, including the neighbours of visited nodes. */
const COMPARED_MAX = 500;

const latencyMs = Number(process.argv[2] ?? 0);
const load = name => loadTypeScript(new URL(`../support/${name}.ts`, import.meta.url).href);
const { startQdrantServer } = await load('qdrant-server');
const { query } = await load('qdrant-collection');
const server = await startQdrantServer();
const counts = {};

/** The ids to which a search is limited, if its filter names any. The server then looks these points up. */
const idsNamed = ({ filter }) => filter?.must?.find?.(condition => condition.has_id)?.has_id;

function search(path, body) {
  const collection = server.collections.get(decodeURIComponent(path.split('/')[2]));
  const ids = idsNamed(body) ?? sampleOf(collection.points);
  const compared = ids.map(id => [id, collection.points.get(id)]).filter(([, point]) => point);
  return query({ ...collection, points: new Map(compared) }, body);
}

/**
 * Sampled ids of a collection. They are kept until the size of the collection changes, because sampling visits every
 * point, and no real server does so for a search.
 */
let sample = { points: undefined, size: 0, ids: [] };

function sampleOf(points) {
  if (sample.points !== points || sample.size !== points.size) {
    const step = Math.max(1, points.size / COMPARED_MAX);
    const ids = [...points.keys()];
    const count = Math.min(points.size, COMPARED_MAX);
    sample = {
      points,
      size: points.size,
      ids: Array.from({ length: count }, (_, index) => ids[Math.floor(index * step)]),
    };
  }
  return sample.ids;
}

server.behave(async ({ method, path, body }) => {
  // Clear the list of requests, because nothing reads it here, and the requests contain every vector.
  server.requests.length = 0;
  const kind = `${method} /${path.split('/').slice(3).join('/')}`;
  counts[kind] = (counts[kind] ?? 0) + 1;
  if (latencyMs > 0) await delay(latencyMs);
  const answer = result => ({ status: 200, json: { result, status: 'ok', time: latencyMs / 1000 } });
  if (kind === 'POST /points/query') return answer(search(path, body));
  if (kind === 'POST /points/query/batch') return answer(body.searches.map(each => search(path, each)));
  return undefined;
});
process.once('SIGTERM', () => {
  process.stderr.write(`${JSON.stringify(counts)}\n`);
  process.exit();
});
process.stdout.write(`${server.url}\n`);
