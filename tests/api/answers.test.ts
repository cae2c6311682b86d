/** Every answer of every route, for successes and failures, has exactly the fields that its schema describes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorAnswer, relationEntryAnswer } from '../../src/api/answer-fields.js';
import { proposalNode } from '../../src/consolidation/proposals.js';
import { MemoryError } from '../../src/domain/errors.js';
import { RELATION_TYPES, relationProperties } from '../../src/domain/relation.js';
import type { Engine } from '../../src/engine/engine.js';
import { PAGE_PATHS } from '../../src/http/page.js';
import { axis, NOON_ISO, openForTest } from '../engine/open-engine.js';
import { createTestApp, openBrokenApp, openTestApp, UNKNOWN_ID } from '../http/test-app.js';
import { startModelServer } from '../support/model-server.js';
import { idOf } from '../support/records.js';
import { openGraphOf, openVectorsOf, settingsForVectorsApart } from '../support/test-engine.js';
import { vectorPayload } from '../support/vector-payloads.js';
import { ANSWERS, checked, fieldsOf, seen } from './checked-app.js';

const ADMIN = 'the admin token';
const AS_ADMIN = { 'x-admin-token': ADMIN };

const { app, engine, clock, close } = await openTestApp({ adminToken: ADMIN });
const call = checked(app);
afterAll(close);

const store = (number: number, content: string, fields: object = {}) =>
  call('POST /memory', { json: { id: idOf(number), content, ...fields } });
const edge = (from: number, to: number, fields: object) =>
  call('POST /associate', { json: { memory1_id: idOf(from), memory2_id: idOf(to), ...fields } });

beforeAll(async () => {
  await store(1, 'We decided to use Postgres. It is reliable.', { tags: ['db'], importance: 0.9 });
  await store(2, 'Alice Johnson prefers Postgres over files.', { tags: ['people:alice'], metadata: { a: [1, null] } });
  await store(3, 'Alice Johnson keeps penguins.', { tags: ['zoo'], t_valid: '2020-01-01', t_invalid: '2040-01-01' });
  await store(4, 'SQLite takes the place of Postgres.', { supersedes_memory_id: idOf(1), tags: ['db'] });
  await store(5, 'Postgres notes with a vector.', { embedding: axis(5), tags: ['db'] });
  await store(6, 'Postgres notes of tomorrow.', { t_valid: '2040-01-01', tags: ['db', 'plans', 'project:till'] });
  await store(7, 'Penguins of large metadata.', { metadata: { big: 'x'.repeat(20_000), small: 1 }, tags: ['zoo'] });
  const told = `A long tale of walruses: ${'they sing, they dance, they sleep on the ice. '.repeat(8)}`;
  await store(13, 'Ann: Which harbour is the ferry in?', { tags: ['chat:7'], timestamp: '2026-01-05T10:00:00Z' });
  await store(14, 'Bo: It lies at pier nine.', { tags: ['chat:7'], timestamp: '2026-01-05T10:01:00Z' });
  await store(15, 'The gate of Orly runs on port 5433.', { tags: ['orly'], timestamp: '2026-01-05T10:00:00Z' });
  await store(16, 'The gate of Orly runs on port 6033.', { tags: ['orly'], timestamp: '2026-02-05T10:00:00Z' });
  await store(11, told);
  await store(12, `${told} Again.`);
  await call('POST /memory/batch', {
    json: [8, 9, 10].map(number => ({ id: idOf(number), content: 'The same penguins.', tags: ['zoo'] })),
  });
  await engine.idle();
  await edge(2, 3, { type: 'PREFERS_OVER', context: 'c', reason: 'r', strength: 0.8 });
  await edge(2, 5, { type: 'EXEMPLIFIES', pattern_type: 'p', confidence: 0.3 });
  await edge(2, 7, { type: 'CONTRADICTS', resolution: 'by talk' });
  await edge(2, 8, { type: 'REINFORCES', observations: 3 });
  await edge(3, 8, { type: 'REINFORCES', observations: 'many' });
  await edge(3, 10, { type: 'REINFORCES', observations: ['one', 'two'] });
  await edge(3, 7, { type: 'DERIVED_FROM', transformation: 't' });
  await edge(3, 9, { type: 'PART_OF', role: 'r' });
  await edge(8, 9, { type: 'INVALIDATED_BY', timestamp: '2030-01-01' });
  await edge(6, 9, { type: 'EVOLVED_INTO' });
  clock.advance(86_400_000);
});

describe('the answer of a successful request matches its schema', () => {
  test.each([
    '',
    'query=postgres&explain=true&state_debug=true&limit=20',
    'query=postgres&state_mode=history&exclude_tags=zoo&min_score=0.1&adaptive_floor=true',
    'query=penguins&queries=postgres&limit=20&priority_ids=00000000-0000-4000-8000-000000000007',
    'query=penguins&tags=people&scope_fallback=true&recency_bias=on&limit=20',
    'query=prefers&limit=1&expand_relations=true&expand_entities=true&expansion_limit=20',
    'query=penguins&limit=20&state_debug=true',
    'query=Which harbour is the ferry in?&explain=true',
    'query=Which pier did Ann take?&explain=true',
    'query=On which port does the gate of Orly run?',
    'query=Why is it decided to use Postgres, is it reliable?',
    'query=penguins&limit=20&max_tokens=60',
    'query=penguins&max_tokens=1',
    'query=vector&start=2020-01-01&end=2040-01-01',
    'query=penguins&tags=nowhere&exclude_tags=zoo&start=2040-01-01',
    'query=penguins&tags=nowhere',
    'limit=20&state_mode=history',
    'query=postgres&tags=db&limit=20',
    'query=postgres&tags=plans',
  ])('for a recall with the parameters %j', async parameters => {
    await call(`GET /recall?${parameters}`);
  });

  test.each(['query=postgres', 'query=postgres&tags=zoo', 'query=nothing', 'limit=1', 'query=penguins&limit=1'])(
    'for why-not on every memory with the parameters %j',
    async parameters => {
      for (let number = 1; number < 10; number++) await call(`GET /recall/why-not?id=${idOf(number)}&${parameters}`);
    },
  );

  test('for requests that read memories', async () => {
    for (let number = 1; number < 10; number++) await call(`GET /memory/${idOf(number)}`);
    await call('GET /memory/by-tag?tags=db,zoo&include_total=true');
    await call('GET /memory/by-tag?tags=db&limit=1');
    await call('GET /memory/by-tag?tags=none');
    await call(`GET /memories/${idOf(2)}/related?max_depth=2&limit=50&relationship_types=SIMILAR_TO,PREFERS_OVER`);
    await call(`GET /memories/${idOf(3)}/related`);
  });

  test('for a batch of associations of which some fail', async () => {
    const good = { memory1_id: idOf(4), memory2_id: idOf(5) };
    const answers = [[good], [good, { ...good, memory2_id: UNKNOWN_ID }, { ...good, type: 'NONE' }]].map(associations =>
      call('POST /associate', { json: { associations } }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 207]);
  });

  test('for analysis and startup recall', async () => {
    const json = [40, 41, 42, 43, 44, 45].map(number => {
      return {
        id: idOf(number),
        content: `Knits on day ${number}`,
        type: 'Habit',
        tags: ['knitting', 'lesson', 'system'],
      };
    });
    await call('POST /memory/batch', { json });
    await engine.idle();
    await call('GET /analyze');
    const token = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`;
    await store(46, `The token is ${token}`, { tags: ['knitting'] });
    await call('GET /analyze/credentials?limit=1');
    await call('GET /analyze/credentials');
    await call('GET /startup-recall');
    await call('POST /projects', { json: { project: 'acme/till', former_projects: ['till'] } });
    await call('GET /projects');
    await call('DELETE /memory/by-tag?tags=knitting');
  });

  test('for status and maintenance', async () => {
    await call('GET /health');
    await call('GET /enrichment/status');
    await call('POST /enrichment/reprocess', { json: { ids: [idOf(2)] }, headers: AS_ADMIN });
    await call('POST /admin/reembed', { json: { force: true }, headers: AS_ADMIN });
    await call('POST /admin/sync', { headers: AS_ADMIN });
    for (const query of ['limit=1', 'part=nodes', '']) {
      const { body } = await call(`GET /admin/export?${query}`, { headers: AS_ADMIN });
      await call('POST /admin/import', { json: { records: body.records, last: true }, headers: AS_ADMIN });
    }
  });

  test('for hooks', async () => {
    const session_id = 'talk';
    await call('POST /hooks/session-start', { json: { session_id, cwd: '/home/ann/shop' } });
    await call('POST /hooks/prompt', { json: { session_id, prompt: 'What does Alice Johnson prefer over files?' } });
    await call('POST /hooks/stop', { json: { session_id, last_assistant_message: 'Alice Johnson prefers Postgres.' } });
    for (const thing of ['Postgres', 'the harbour', 'the header', 'the footer', 'the logo']) {
      await call('POST /hooks/prompt', {
        json: { session_id, prompt: `Why did Alice Johnson prefer ${thing} over files?` },
      });
    }
    await call('POST /hooks/prompt', { json: { session_id, prompt: '/clear' } });
    clock.advance(86_400_000);
    await call('POST /hooks/stop', { json: { session_id } });
    await call('GET /hooks/try?prompt=What does Alice Johnson prefer over files?');
    await call('POST /hooks/pre-compact', { json: { session_id } });
    await call('POST /hooks/session-end', { json: { session_id } });
    await call('GET /hooks/log');
  });

  test('for consolidation', async () => {
    const env = { DELETE_THRESHOLD: '0.05', ARCHIVE_THRESHOLD: '0.2', MAX_CHANGE_SHARE: '0.5' };
    const given = Object.entries(env).map(([name, value]) => [`CONSOLIDATION_${name}`, value]);
    const test = await openForTest(Object.fromEntries(given));
    const caller = () =>
      checked(createTestApp({ engine: test.engine, settings: { adminToken: ADMIN }, log: test.log }));
    const call = caller();
    const run = async (json: object) => (await call('POST /consolidate', { json })).body.consolidation;
    const store = (number: number, importance: number) =>
      call('POST /memory', {
        json: { id: idOf(number), content: `Note ${number}`, importance, timestamp: '2020-01-01' },
      });
    await store(1, 0.1);
    await store(2, 0.3);
    expect((await run({ mode: 'forget', dry_run: false })).stopped).toContain('2 of 2 memories');
    await call('GET /health');
    await store(3, 0.9);
    await store(4, 0.9);
    await run({});
    const { decay, forget } = await run({ dry_run: false });
    expect([decay.updates, forget.forgotten]).toEqual([2, 2]);
    await call(`GET /memory/${idOf(2)}`);
    await call('GET /admin/bin', { headers: AS_ADMIN });
    await call('POST /admin/restore', { json: { ids: [idOf(1), idOf(9)] }, headers: AS_ADMIN });
    await call('POST /consolidate/undo', { json: { run_id: decay.run_id }, headers: AS_ADMIN });
    for (const { run_id } of [decay, forget]) await call(`GET /consolidate/runs/${run_id}`);
    const proposal = { id: idOf(50), olderId: idOf(3), newerId: idOf(4), reason: 'alike', numbers: { similarity: 1 } };
    await test.reopen(async () => {
      const graph = openGraphOf(test.config);
      await graph.saveNode(proposalNode({ ...proposal, kind: 'duplicate' }, { state: 'open', at: NOON_ISO }));
      await graph.close();
    });
    const after = caller();
    await after('GET /consolidate/proposals');
    await after(`POST /consolidate/proposals/${idOf(50)}`, { json: { action: 'accept' } });
    await after('GET /consolidate/status');
  });

  test('for updates and deletions', async () => {
    await store(20, 'gone soon', { tags: ['gone'] });
    await store(21, 'gone soon, too', { tags: ['gone'] });
    await call(`PATCH /memory/${idOf(20)}`, { json: { importance: 1, archived: true } });
    await call(`GET /memory/${idOf(20)}`);
    await call(`PATCH /memory/${idOf(20)}`, { json: { t_valid: '2020-01-01', t_invalid: '2040-01-01' } });
    await call(`PATCH /memory/${idOf(20)}`, { json: { t_valid: null, metadata: { a: 1 } } });
    await call(`GET /memory/${idOf(20)}/history`);
    await call(`POST /memory/${idOf(20)}/restore`, { json: { version: 1 } });
    await call(`DELETE /memory/${idOf(20)}`);
    await call('DELETE /memory/by-tag?tags=gone');
  });

  test('for a comparison of the stores that finds differences', async () => {
    const test = await openForTest({ SYNC_CHECK_INTERVAL_SECONDS: '0', ...(await settingsForVectorsApart()) });
    await test.storeMany([{ id: idOf(1), content: 'apples' }]);
    await test.engine.idle();
    await test.reopen(async () => {
      const vectors = openVectorsOf(test.config);
      await vectors.remove([idOf(1)]);
      await vectors.upsert([{ id: idOf(9), vector: Float32Array.from(axis(1)), payload: vectorPayload() }]);
      await vectors.close();
    });
    const call = checked(createTestApp({ engine: test.engine, settings: { adminToken: ADMIN }, log: test.log }));
    await call('GET /health');
    for (const json of [{ dry_run: true }, {}, { remove_orphans: true }]) {
      await call('POST /admin/sync', { json, headers: AS_ADMIN });
    }
  });

  test('for requests with a language model while embedding fails', async () => {
    const server = await startModelServer();
    const said = JSON.stringify({ summary: 'Travel was cut.' });
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', usage };
    server.on('/v1/messages', { json: { ...message, content: [{ type: 'text', text: said }] } });
    server.on('/v1/embeddings', { status: 401, json: { error: { message: 'no' } } });
    const test = await openForTest({
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: server.url,
      EMBEDDING_PROVIDER: 'openai',
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${server.url}/v1`,
    });
    const call = checked(createTestApp({ engine: test.engine, settings: { adminToken: ADMIN }, log: test.log }));
    await call('POST /memory', { json: { content: 'The meeting went on and on. '.repeat(40), type: 'Context' } });
    await test.storeMany(Array.from({ length: 11 }, (_, index) => ({ content: `apple ${index}`, type: 'Context' })));
    await call('POST /admin/reembed', { json: { force: true }, headers: AS_ADMIN });
    await call('GET /enrichment/status');
    await call('GET /health');
  });
});

describe('the answer of a failed request matches its schema', () => {
  const away = async () => {
    throw new MemoryError('unavailable', 'The graph store cannot be reached', { hint: 'Start it.' });
  };
  const methods = ['store', 'storeMany', 'get', 'update', 'remove', 'associate', 'related', 'listByTag', 'removeByTag'];
  const ofHistory = ['history', 'restoreVersion'];
  const others = [
    'analyze',
    'credentials',
    'startupRecall',
    'recall',
    'whyNot',
    'workStatus',
    'reprocess',
    'reembed',
    'sync',
  ];
  const consolidating = ['run', 'status', 'details', 'undo', 'binned', 'restore', 'proposals', 'settleProposal'];
  const allAway = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, away]));
  const replaced = {
    ...allAway([...methods, ...ofHistory, ...others]),
    consolidation: allAway(consolidating),
    projects: allAway(['note', 'list']),
    hooks: allAway(['sessionStart', 'prompt', 'turnEnd', 'preCompact', 'sessionEnd', 'tryPrompt', 'log']),
  } as unknown as Partial<Engine>;

  const QUERIES: Readonly<Record<string, string>> = {
    'GET /recall/why-not': `?id=${idOf(1)}&query=x`,
    'GET /memory/by-tag': '?tags=x',
    'GET /hooks/try': '?prompt=x',
    'DELETE /memory/by-tag': '?tags=x',
  };

  test('for every route except health while the graph store is unavailable', async () => {
    const call = checked(openBrokenApp(engine, replaced).app);
    for (const route of Object.keys(ANSWERS).filter(each => each !== 'GET /health')) {
      const query = QUERIES[route] ?? '';
      const edge = { memory1_id: idOf(1), memory2_id: idOf(2) };
      const hook = { session_id: 's', prompt: 'x', project: 'x' };
      const json = { content: 'x', memories: [{ content: 'x' }], ...edge, ...hook, action: 'accept', version: 1 };
      const { status } = await call(
        `${route.replace(':id', idOf(1))}${query}`,
        route.startsWith('GET') ? {} : { json },
      );
      expect([route, status]).toEqual([route, /admin|reprocess|undo/.test(route) ? 403 : 503]);
    }
  });

  test('for degraded health with all its fields', async () => {
    const textIndex = { analyzerVersion: 2, doneCount: 1, total: 3 };
    const report = { ...(await engine.health()), reasons: ['The disk is full.'], textIndex };
    const call = checked(openBrokenApp(engine, { health: async () => report }).app);
    expect((await call('GET /health')).status).toBe(503);
  });

  test.each<[string, object, number]>([
    [`GET /memory/${UNKNOWN_ID}`, {}, 404],
    ['GET /memory/nonsense', {}, 400],
    ['GET /nowhere', {}, 404],
    ['PUT /memory', {}, 405],
    ['POST /memory', { json: { content: '' } }, 400],
    ['POST /memory/batch', { json: [{ content: 'good' }, {}] }, 400],
    ['POST /memory', { body: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['POST /memory', { body: 'text', headers: { 'content-type': 'text/plain' } }, 415],
    ['POST /admin/sync', {}, 401],
    ['POST /admin/sync', { json: { dry_run: 'perhaps' }, headers: AS_ADMIN }, 400],
    ['POST /enrichment/reprocess', { headers: AS_ADMIN }, 400],
    ['GET /recall?time_query=nonsense', {}, 400],
    ['GET /recall', { headers: { host: 'elsewhere.example' } }, 403],
  ])('for %s with %j', async (route, request, status) => {
    expect((await call(route, request)).status).toBe(status);
  });

  test('for internal errors', async () => {
    const fault = async () => {
      throw new Error('a fault');
    };
    const call = checked(openBrokenApp(engine, { get: fault }).app);
    expect((await call(`GET /memory/${idOf(1)}`)).status).toBe(500);
  });
});

/** Paths of middleware, and of routes outside of the table of operations. */
const BESIDE = new Set<string>([
  '/*',
  '/metrics',
  '/export',
  '/docs',
  '/openapi.json',
  ...PAGE_PATHS,
  '/web/codes',
  '/web/session',
]);

describe('the schemas', () => {
  const described = [...Object.values(ANSWERS), errorAnswer].flatMap(fieldsOf);

  test('exist for every route, and the tests above check each with a successful and a failed call', () => {
    const routes = app.routes.filter(({ path, method }) => !BESIDE.has(path) && method !== 'ALL');
    const patterns = [...new Set(routes.map(({ method, path }) => `${method} ${path}`))].sort();
    expect(Object.keys(ANSWERS).sort()).toEqual(patterns);
    expect([...seen.succeeded].sort()).toEqual(patterns);
    expect(patterns.filter(pattern => !seen.failed.has(pattern))).toEqual([]);
  });

  test('have a description for every field', () => {
    expect(described.filter(({ description }) => !description).map(({ path }) => path)).toEqual([]);
  });

  test('contain only fields that some answer contains', () => {
    // Answers with groups or discovered edges need many memories. Other tests check these answers.
    const ofMany = ['text', ...relationProperties('DISCOVERED')];
    // Only a graph in FalkorDB has other writers, so only tests of such a graph check this field.
    const elsewhere = ['foreign_count'];
    const unseen = [...new Set(described.map(({ name }) => name))].filter(name => !seen.fields.has(name));
    expect(unseen.filter(name => ![...ofMany, ...elsewhere].includes(name))).toEqual([]);
  });

  test('list the properties of every relation type', () => {
    const own = ['type', 'strength', 'direction', 'memory', 'updated_at'];
    const named = Object.keys(relationEntryAnswer.shape).filter(name => !own.includes(name));
    expect(named.sort()).toEqual([...new Set(RELATION_TYPES.flatMap(relationProperties))].sort());
  });
});
