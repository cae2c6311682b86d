/**
 * Records what programs and assistants see: the status and body of several hundred REST requests and tool calls against
 * a running service, so that the records of two builds can be compared after a change that should change nothing.
 *
 *   node tests/bench/behavior.mjs --out FILE [--code FOLDER]   records the checkout in FOLDER (default: this one)
 *   node tests/bench/behavior.mjs --compare FILE FILE          lists the differences; exit code 1 if there are any
 *
 * The service runs in a process of its own, with hash embeddings, a fresh data folder and a clock that stands still. Ids
 * and durations that the service makes itself are replaced by their order of appearance.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NOW_MS, requests } from './behavior-requests.mjs';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const PORT = 18_700 + (process.pid % 1_000);
const BASE = `http://127.0.0.1:${PORT}`;
const TOKEN = 'a-token-for-the-record';
const ADMIN = 'an-admin-token-for-the-record';
const SETTINGS = {
  ENGRAPH_API_TOKEN: TOKEN,
  AUTOMEM_API_TOKEN: TOKEN,
  ADMIN_API_TOKEN: ADMIN,
  EMBEDDING_PROVIDER: 'hash',
  LOG_LEVEL: 'error',
  CONSOLIDATION_DELETE_THRESHOLD: '0.05',
  CONSOLIDATION_MAX_CHANGE_SHARE: '0.25',
};

const { values, positionals } = parseArgs({
  options: {
    out: { type: 'string' },
    code: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    compare: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
async function record(tree) {
  const folder = mkdtempSync(join(tmpdir(), 'engraph-behavior-'));
  const still = `globalThis.Date = class extends Date {
      constructor(...parts) { parts.length ? super(...parts) : super(${NOW_MS}); }
      static now() { return ${NOW_MS}; }
    };`;
  const service = spawn(process.execPath, [join(tree, 'bin/engraph.js'), 'serve', '--port', String(PORT)], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TZ: 'UTC',
      ENGRAPH_DATA_DIR: join(folder, 'data'),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(still)}`,
      ...SETTINGS,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await answering();
    const entries = [];
    for (const step of requests()) {
      const entry = await run(step);
      if (!step.isUnrecorded) entries.push(entry);
    }
    return normalized(entries);
  } finally {
    service.kill();
    await new Promise(done => service.once('exit', done));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function answering() {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      await fetch(`${BASE}/health`);
      return;
    } catch {
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
  throw new Error('The service does not answer');
}

async function run(step) {
  const { method = 'GET', path, body, headers = {} } = step;
  const init = {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'x-admin-token': ADMIN, ...headers },
    redirect: 'manual',
  };
  if (body !== undefined) {
    init.body = typeof body === 'string' ? body : JSON.stringify(body);
    init.headers = { 'content-type': 'application/json', ...init.headers };
  }
  const answer = await fetch(BASE + path, init);
  const text = await answer.text();
  if (step.settlesMs) await new Promise(resolve => setTimeout(resolve, step.settlesMs));
  let parsed = text;
  try {
    parsed = JSON.parse(text.startsWith('event:') ? text.replace(/^[\s\S]*?data: /, '') : text);
  } catch {}
  // Lines whose order depends on ids that the service makes.
  if (path === '/export')
    parsed = text
      .split('\n')
      .map(line =>
        line
          .replace(UUID, '<id>')
          .replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g, '<id>')
          .replace(/((?:_ms|_seconds|took)": ?)[\d.]+/g, '$1<number>'),
      )
      .sort();
  if (method !== 'GET' && path !== '/mcp' && answer.ok) await idle();
  if (path === '/mcp' && /store|update|associate|delete/.test(step.body?.params?.name)) await idle();
  return {
    kind: path === '/mcp' ? 'tool' : 'rest',
    request: { method, path, body: step.shown ?? body },
    status: answer.status,
    body: parsed,
  };
}

/** Waits until the background work for earlier requests is done, because their answers depend on it. */
async function idle() {
  for (let quiet = 0, attempt = 0; quiet < 2 && attempt < 600; attempt++) {
    const status = await (
      await fetch(`${BASE}/enrichment/status`, { headers: { authorization: `Bearer ${TOKEN}` } })
    ).json();
    quiet = status.queue_size + status.pending + status.inflight === 0 ? quiet + 1 : 0;
    await new Promise(resolve => setTimeout(resolve, 15));
  }
}

/** Numbers that depend on the machine or on the moment. */
const VOLATILE =
  /(_ms|_seconds|uptime|rss|heap|bytes|free|total_mb|pid|latency|version|port|platform|node|cpu|cores)$/i;

function normalized(entries) {
  const ids = new Map();
  const sent = new Set(JSON.stringify(entries.map(entry => entry.request)).match(UUID) ?? []);
  const name = id => {
    if (sent.has(id) || sent.has(id.toLowerCase())) return id;
    if (!ids.has(id)) ids.set(id, `<id ${ids.size}>`);
    return ids.get(id);
  };
  const walk = (value, key) => {
    if (typeof value === 'number') return VOLATILE.test(key) ? '<number>' : value;
    if (typeof value === 'string')
      return value
        .replace(UUID, name)
        .replaceAll(String(PORT), '<port>')

        .replace(/(_ms\\?": )[\d.]+/g, '$1<number>')
        .replace(/engraph-behavior-\w+/g, '<folder>')
        .replace(/\b\d+(\.\d+)? ?(ms|MB|GB|KB|MiB|GiB)\b/g, '<amount>');
    if (Array.isArray(value)) {
      const list = value.map(each => walk(each, key));
      // All runs have the same time.
      return key === 'history' ? list.sort((x, y) => (String(x.task) < String(y.task) ? -1 : 1)) : list;
    }
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([k, each]) => [k, walk(each, k)]));
    return value;
  };
  return entries.map(entry => ({ ...entry, body: walk(entry.body, '') }));
}

function compare(before, after) {
  const [a, b] = [before, after].map(file => JSON.parse(readFileSync(file, 'utf8')));
  let count = 0;
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [x, y] = [a[at], b[at]];
    if (JSON.stringify(x) === JSON.stringify(y)) continue;
    count += 1;
    const { method, path, body } = (x ?? y).request;
    process.stdout.write(`#${at} ${method} ${path} ${JSON.stringify(body ?? '').slice(0, 200)}\n`);
    if (x?.status !== y?.status) process.stdout.write(`  status ${x?.status} -> ${y?.status}\n`);
    for (const line of differences(x?.body, y?.body, '').slice(0, 6)) process.stdout.write(`  ${line}\n`);
  }
  const kinds = kind => a.filter(entry => entry.kind === kind).length;
  process.stdout.write(`${kinds('rest')} REST requests, ${kinds('tool')} MCP messages, ${count} different\n`);
  return count;
}

function differences(x, y, path) {
  if (JSON.stringify(x) === JSON.stringify(y)) return [];
  if (x && y && typeof x === 'object' && typeof y === 'object' && Array.isArray(x) === Array.isArray(y)) {
    const found = [...new Set([...Object.keys(x), ...Object.keys(y)])].flatMap(key =>
      differences(x[key], y[key], `${path}.${key}`),
    );
    return found.length > 0 ? found : [`${path}: another order of keys: ${Object.keys(x)} -> ${Object.keys(y)}`];
  }
  return [`${path}: ${JSON.stringify(x)?.slice(0, 160)} -> ${JSON.stringify(y)?.slice(0, 160)}`];
}

if (values.compare) process.exit(compare(...positionals) === 0 ? 0 : 1);
if (!values.out) throw new Error('--out names the file to write');
writeFileSync(values.out, `${JSON.stringify(await record(resolve(values.code)), null, 1)}\n`);
