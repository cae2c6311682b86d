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

const NOW_MS = Date.parse('2026-06-15T12:00:00Z');
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
    for (const step of steps()) {
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

function* steps() {
  yield* writing();
  // The first recall of a memory changes when it was last accessed, a moment after the answer.
  for (const step of recalling()) yield { ...step, isUnrecorded: true };
  yield { path: '/recall', isUnrecorded: true, settlesMs: 3_000 };
  yield* recalling();
  yield* relating();
  yield* reading();
  yield* hooks();
  yield* administering();
  yield* tools();
  yield* changing();
  yield* refusals();
}

const idOf = number => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const day = number => new Date(NOW_MS - number * 86_400_000).toISOString();

/** Short texts in several languages, with facts that replace others, copies, and texts that stand alone. */
function corpus() {
  return readFileSync(new URL('behavior-texts.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
}

/** Objects that differ only in the field that is tried would be copies of each other. */
const distinct = (body, number) =>
  typeof body === 'object'
    ? { id: idOf(number), ...body, ...(body.content === 'x' && { content: `trial ${number} of zone${number * 7919}` }) }
    : body;

function* writing() {
  const memories = corpus();
  for (const [at, memory] of memories.slice(0, 60).entries()) {
    yield { method: 'POST', path: '/memory', body: { id: idOf(at), timestamp: day(200 - 3 * at), ...memory } };
  }
  yield {
    method: 'POST',
    path: '/memory/batch',
    body: {
      memories: memories.slice(60).map((memory, at) => ({ id: idOf(60 + at), timestamp: day(60 - at), ...memory })),
    },
  };
  yield { method: 'POST', path: '/memory', body: { id: idOf(0), content: 'the id is taken' } };
  yield {
    method: 'POST',
    path: '/memory',
    body: { id: idOf(500), content: 'The deploy day is Tuesday now.', supersedes: idOf(3) },
  };
  let number = 200;
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '{"content":1}',
    '{"content":""}',
    '{"content":"x","content":"y"}',
    '{"contents":"x"}',
    { content: 'x', type: 'Fact' },
    { content: 'x', importance: 2 },
    { content: 'x', importance: '0.5' },
    { content: 'x', importance: 'high' },
    { content: 'x', tags: 'a, b' },
    { content: 'x', tags: [1, null] },
    { content: 'x', tags: { a: 1 } },
    { content: 'x', metadata: 'text' },
    { content: 'x', metadata: '{"a":1}' },
    { content: 'x', metadata: { deep: { deeper: { deepest: [1, { a: null }] } } } },
    { content: 'x', timestamp: 'yesterday' },
    { content: 'x', timestamp: 'never' },
    { content: 'x', t_valid: '2026-01-01', t_invalid: '2025-01-01' },
    { content: 'x', embedding: [1, 2, 3] },
    { content: 'x', embedding: 'text' },
    { content: 'x', id: 'not-a-uuid' },
    { content: 'x', confidence: -1 },
    { content: 'y'.repeat(2_500) },
    { content: 'password = "hunter2hunter2"' },
    { content: 'x', supersedes: idOf(999) },
    { content: 'x', session_id: 's1', unknown_field: true },
  ])
    yield { method: 'POST', path: '/memory', body: distinct(body, number++) };
  for (const body of [
    {},
    { memories: [] },
    { memories: [{ content: 'a' }, { content: '' }] },
    { memories: 'x' },
    [{ id: idOf(300), content: 'from a list' }],
  ])
    yield { method: 'POST', path: '/memory/batch', body };
}

const QUESTIONS = [
  'When is the deploy day?',
  'Which database does billing use?',
  'What does Maria prefer?',
  'Who owns the Atlas project?',
  '결제 데이터베이스',
  'データベースはどれ',
  'Welche Datenbank nutzt die Abrechnung?',
  'base de datos de facturación',
  'tabs or spaces',
  'ECONNRESET retry',
  'last week',
  '*',
  '',
];
const CHOICES = [
  {},
  { limit: 1 },
  { limit: 50, sort: 'time_desc' },
  { sort: 'time_asc', tags: 'billing' },
  { sort: 'updated_desc', limit: 5 },
  { tags: 'billing,atlas', tag_mode: 'all' },
  { tags: 'bill', tag_match: 'prefix' },
  { tags: 'bill', tag_match: 'exact' },
  { exclude_tags: 'billing' },
  { time_query: 'last month' },
  { start: '2026-01-01', end: '2026-03-01' },
  { expand_relations: true, expand_entities: true },
  { expand_relations: true, relation_limit: 1, expansion_limit: 2, expand_min_strength: 0.5 },
  { context: 'billing service in PostgreSQL', language: 'typescript', active_path: 'src/billing/tax.py' },
  { context_tags: 'maria', context_types: 'Preference', priority_ids: idOf(5) },
  { state_mode: 'current' },
  { state_mode: 'history', state_debug: true },
  { current_only: true, explain: true },
  { min_score: 0.3 },
  { adaptive_floor: true, recency_bias: 'on' },
  { scope_fallback: true, tags: 'nobody-has-this-tag' },
  { explain: true },
  { max_tokens: 120 },
  { auto_decompose: true, per_query_limit: 3 },
];

function* recalling() {
  for (const query of QUESTIONS) {
    for (const choice of CHOICES) yield { path: `/recall?${new URLSearchParams({ query, ...choice })}` };
  }
  yield { path: `/recall?queries=deploy&queries=billing&limit=3` };
  yield { path: `/recall?memory_id=${idOf(4)}&limit=nonsense` };
  yield { path: '/recall' };
  for (const bad of [
    'limit=0',
    'limit=101',
    'limit=x',
    'sort=up',
    'tag_mode=some',
    'start=never',
    'embedding=1,2',
    'priority_ids=x',
    'explain=maybe',
    'nosuch=1',
    'limit=1&limit=2',
    'min_score=-1',
    'context_types=Fact',
    'time_query=gibberish%20words',
  ])
    yield { path: `/recall?query=deploy&${bad}` };
  for (const id of [idOf(3), idOf(10), idOf(30), idOf(999)]) {
    for (const query of QUESTIONS.slice(0, 4))
      yield { path: `/recall/why-not?${new URLSearchParams({ query, id, limit: 3 })}` };
  }
  yield { path: '/recall/why-not?query=x' };
  yield { path: '/startup-recall' };
}

function* relating() {
  for (const [from, to, type] of [
    [1, 2, 'LEADS_TO'],
    [2, 5, 'RELATES_TO'],
    [5, 8, 'CONTRADICTS'],
    [8, 8, 'RELATES_TO'],
    [1, 999, 'RELATES_TO'],
    [1, 2, 'NO_SUCH'],
    [6, 7, 'EVOLVED_INTO'],
  ])
    yield {
      method: 'POST',
      path: '/associate',
      body: { memory1_id: idOf(from), memory2_id: idOf(to), type, strength: 0.7 },
    };
  yield {
    method: 'POST',
    path: '/associate',
    body: {
      associations: [
        { memory1_id: idOf(9), memory2_id: idOf(10), type: 'PREFERS_OVER', reason: 'r' },
        { memory1_id: 'x' },
      ],
    },
  };
  for (const number of [1, 2, 5, 6, 999]) {
    yield { path: `/memories/${idOf(number)}/related` };
    yield { path: `/memories/${idOf(number)}/related?max_depth=2&limit=5&relationship_types=LEADS_TO,RELATES_TO` };
  }
  yield { path: `/memories/${idOf(1)}/related?max_depth=9` };
}

function* reading() {
  for (let number = 0; number < 20; number++) yield { path: `/memory/${idOf(number)}` };
  yield { path: `/memory/${idOf(999)}` };
  yield { path: '/memory/not-an-id' };
  for (const query of [
    'tags=billing',
    'tags=billing&limit=2&offset=1',
    'tags=bill',
    'tags=',
    '',
    'tags=billing&limit=x',
    'tags=a%2Cb',
  ])
    yield { path: `/memory/by-tag?${query}` };
  for (const path of [
    '/health',
    '/enrichment/status',
    '/analyze',
    '/analyze/credentials',
    '/analyze/credentials?limit=1',
    '/projects',
    '/openapi.json',
  ])
    yield { path };
}

function* tools() {
  const accept = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  let id = 0;
  const message = (method, params) => ({
    method: 'POST',
    path: '/mcp',
    headers: accept,
    body: { jsonrpc: '2.0', id: ++id, method, params },
  });
  const call = (name, args) => message('tools/call', { name, arguments: args });
  yield message('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'record', version: '1' },
  });
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'ping', 'no/such'])
    yield message(method, {});
  yield message('resources/read', { uri: `memory://${idOf(2)}` });
  for (const query of QUESTIONS) yield call('recall_memory', { query });
  for (const choice of CHOICES) yield call('recall_memory', { query: QUESTIONS[1], ...typed(choice) });
  for (const format of ['text', 'items', 'detailed', 'json', 'nonsense'])
    yield call('recall_memory', { query: 'deploy', format });
  yield call('recall_memory', { memory_id: idOf(4), limit: 'nonsense' });
  yield call('recall_memory', { memory_id: idOf(999) });
  yield call('recall_memory', { tags: ['billing'], exhaustive: true, limit: 2, offset: 1 });
  yield call('recall_memory', { exhaustive: true });
  yield call('recall_memory', { query: 'x', limit: 0 });
  yield call('recall_memory', { query: 'x', nosuch: 1 });
  for (const args of [
    { content: 'Maria prefers short branches.', tags: ['maria'], importance: 0.8, type: 'Preference' },
    { content: '' },
    { content: 'x', importance: 'high' },
    { contents: 'x' },
    {},
    {
      content:
        'AKIA' + 'IOSFODNN7EXAMPLX is the key of the bucket, with secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY',
    },
    { content: 'z'.repeat(2_100) },
    { memories: [{ content: 'first of two' }, { content: 'second of two', tags: ['two'] }] },
    { memories: [{ content: 'ok' }, { content: '' }] },
    { memories: [] },
  ])
    yield call('store_memory', args);
  yield call('update_memory', { memory_id: idOf(12), importance: 0.9, tags: ['changed'] });
  yield call('update_memory', { memory_id: idOf(999), importance: 0.9 });
  yield call('update_memory', { memory_id: idOf(12) });
  yield call('associate_memories', { memory1_id: idOf(12), memory2_id: idOf(13), type: 'RELATES_TO', strength: 0.5 });
  yield call('associate_memories', { memory1_id: idOf(12), memory2_id: idOf(999), type: 'RELATES_TO', strength: 0.5 });
  yield call('associate_memories', {
    associations: [{ memory1_id: idOf(14), memory2_id: idOf(15), type: 'LEADS_TO' }],
  });
  yield call('check_database_health', {});
  yield call('delete_memory', { memory_id: idOf(20) });
  yield call('delete_memory', { memory_id: idOf(20) });
  yield call('delete_memory', { tags: ['two'] });
  yield call('no_such_tool', {});
  for (const name of ['recall_context', 'remember_session', 'nosuch'])
    yield message('prompts/get', { name, arguments: {} });
}

/** Typed arguments, as a model sends them. */
const typed = choice =>
  Object.fromEntries(
    Object.entries(choice).map(([key, value]) => [
      key,
      /tags|types|ids/.test(key) && typeof value === 'string' ? value.split(',') : value,
    ]),
  );

function* hooks() {
  const conversation = { session_id: 'a-conversation', cwd: '/home/ann/billing' };
  yield { method: 'POST', path: '/hooks/session-start', body: conversation };
  for (const prompt of ['Which database does billing use?', 'How does Maria prefer her commits?', 'hello', ''])
    yield { method: 'POST', path: '/hooks/prompt', body: { ...conversation, prompt } };
  yield {
    method: 'POST',
    path: '/hooks/stop',
    body: { session_id: 'a-conversation', last_assistant_message: 'PostgreSQL.', stop_hook_active: false },
  };
  yield { method: 'POST', path: '/hooks/pre-compact', body: { session_id: 'a-conversation' } };
  yield { method: 'POST', path: '/hooks/session-end', body: { session_id: 'a-conversation' } };
  yield { path: '/hooks/try?prompt=Which%20database%20does%20billing%20use' };
  yield { path: '/hooks/log' };
  yield { path: '/hooks/log?session_id=a-conversation' };
  yield { method: 'POST', path: '/hooks/prompt', body: { prompt: 1 } };
  yield { method: 'POST', path: '/projects', body: { project: 'acme/billing', former_projects: ['billing'] } };
  yield { method: 'POST', path: '/projects', body: {} };
  yield { path: '/projects' };
}

function* administering() {
  yield { method: 'POST', path: '/enrichment/reprocess', body: { ids: [idOf(2)] } };
  yield { method: 'POST', path: '/enrichment/reprocess', body: {} };
  for (const mode of ['decay', 'creative', 'cluster', 'forget', 'full', 'nonsense'])
    yield { method: 'POST', path: '/consolidate', body: { mode, dry_run: true } };
  for (const mode of ['decay', 'cluster', 'forget'])
    yield { method: 'POST', path: '/consolidate', body: { mode, dry_run: false } };
  for (const path of [
    '/consolidate/status',
    '/consolidate/proposals',
    '/consolidate/proposals?limit=1',
    '/admin/bin',
    '/admin/bin?limit=1',
    `/consolidate/runs/${idOf(999)}`,
  ])
    yield { path };
  yield { method: 'POST', path: '/consolidate/undo', body: { run_id: idOf(999) } };
  yield { method: 'POST', path: `/consolidate/proposals/${idOf(999)}`, body: { action: 'accept' } };
  yield { method: 'POST', path: '/admin/restore', body: { ids: [idOf(20), idOf(999)] } };
  yield { method: 'POST', path: '/admin/sync', body: { dry_run: true } };
  yield { method: 'POST', path: '/admin/reembed', body: { limit: 2, force: true } };
  for (const part of ['memories', 'relations', 'nonsense']) yield { path: `/admin/export?part=${part}&limit=3` };
  yield { method: 'POST', path: '/admin/import', body: { records: [{ memory: { id: 'x' } }] } };
  yield { path: '/export' };
}

function* changing() {
  yield { method: 'PATCH', path: `/memory/${idOf(6)}`, body: { content: 'The deploy day moved to Wednesday.' } };
  yield { method: 'PATCH', path: `/memory/${idOf(6)}`, body: { tags: ['deploy', 'changed'], metadata: { by: 'ann' } } };
  for (const body of [{}, { importance: 5 }, { nosuch: 1 }, { id: idOf(7) }, { content: '' }])
    yield { method: 'PATCH', path: `/memory/${idOf(6)}`, body };
  yield { method: 'PATCH', path: `/memory/${idOf(999)}`, body: { importance: 0.1 } };
  yield { path: `/memory/${idOf(6)}/history` };
  yield { method: 'POST', path: `/memory/${idOf(6)}/restore`, body: { version: 1 } };
  yield { method: 'POST', path: `/memory/${idOf(6)}/restore`, body: { version: 99 } };
  yield { path: `/memory/${idOf(6)}` };
  yield { method: 'DELETE', path: `/memory/${idOf(21)}` };
  yield { method: 'DELETE', path: `/memory/${idOf(21)}` };
  yield { method: 'DELETE', path: '/memory/by-tag?tags=atlas' };
  yield { method: 'DELETE', path: '/memory/by-tag' };
  yield { path: '/admin/bin' };
  yield { path: '/recall?query=Atlas' };
}

function* refusals() {
  for (const [method, path] of [
    ['PUT', '/memory'],
    ['POST', '/recall'],
    ['GET', '/nosuch'],
    ['DELETE', '/health'],
    ['GET', '/memory'],
    ['GET', '/memory/'],
    ['GET', '//memory'],
    ['GET', '/memory/%zz'],
    ['OPTIONS', '/recall'],
    ['HEAD', '/health'],
  ])
    yield { method, path };
  for (const authorization of ['', 'Bearer wrong', 'Basic x']) {
    yield { path: '/recall?query=x', headers: { authorization } };
    yield { path: '/admin/bin', headers: { authorization, 'x-admin-token': 'wrong' } };
    yield { path: '/admin/bin', headers: { 'x-admin-token': 'wrong' } };
  }
  yield { path: '/health', headers: { origin: 'http://evil.example' } };
  yield { method: 'POST', path: '/memory', headers: { 'content-type': 'text/plain' }, body: '{"content":"as text"}' };
  yield {
    method: 'POST',
    path: '/memory',
    body: `{"content":"${'a'.repeat(1_100_000)}"}`,
    shown: 'a content of 1,100,000 characters',
  };
  yield { method: 'POST', path: '/memory', body: `${'['.repeat(3_000)}${']'.repeat(3_000)}`, shown: '3,000 brackets' };
  yield { method: 'POST', path: '/memory', body: '{"content":"x","importance":1e999}' };
  yield { method: 'POST', path: '/memory', body: '{"content":"x","metadata":{"n":123456789012345678901234567890}}' };
  yield { method: 'POST', path: '/memory', body: '{"content":"x","metadata":{"__proto__":{"a":1}}}' };
  yield { method: 'POST', path: '/memory', body: '{"content":"\\ud800"}' };
}

if (values.compare) process.exit(compare(...positionals) === 0 ? 0 : 1);
if (!values.out) throw new Error('--out names the file to write');
writeFileSync(values.out, `${JSON.stringify(await record(resolve(values.code)), null, 1)}\n`);
