/** A change of the embedding model (docs/decisions.md, "Vectors and their model"). */
import { expect, onTestFinished, test } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { axis, openForTest } from './open-engine.js';

/** Makes the server answer like a model that places all fruit on one axis and everything else on another. */
function teachFruit(server: ModelServer): void {
  server.on('/v1/embeddings', ({ body }) => ({
    json: {
      data: (body.input as string[]).map((text, index) => ({
        index,
        embedding: axis(/apple|pear|fruit/.test(text) ? 1 : 2),
      })),
    },
  }));
}

async function openFolders() {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const server = await startModelServer();
  const openai = {
    EMBEDDING_PROVIDER: 'openai',
    OPENAI_BASE_URL: `${server.url}/v1`,
    EMBEDDING_MODEL: 'fruit',
    EMBEDDING_MAX_RETRIES: '0',
    LLM_PROVIDER: 'none',
  };
  const open = (env: Record<string, string> = {}) => openForTest({ ENGRAPH_DATA_DIR: folder.path, ...env });
  return { folder, server, open, openWithModel: () => open(openai) };
}

test('after a change of model, vectors that nobody supplied are remade, and recall uses words until then', async () => {
  const { server, open, openWithModel } = await openFolders();
  const before = await open();
  await before.storeMany([
    { content: 'red apples' },
    { content: 'night trains' },
    { content: 'own', embedding: axis(9) },
  ]);
  await before.engine.idle();
  expect(await before.engine.health()).toMatchObject({
    embedder: { model: 'hash-v3-64' },
    embedding: { embeddedCount: 3, backlog: { pending: 0, inFlight: 0, failed: 0, behindMs: 0 } },
  });
  await before.engine.close();

  server.on('/v1/embeddings', { status: 503, json: {} });
  const during = await openWithModel();
  await during.engine.idle();
  expect(await during.engine.health()).toMatchObject({
    reasons: [],
    consistency: 'inSync',
    embedder: { model: expect.stringContaining('fruit') },
    embedding: { embeddedCount: 1, backlog: { pending: 2 } },
  });
  expect(await during.found({ query: 'apples' })).toEqual(['red apples']);
  expect(await during.found({ query: 'pears' })).toEqual([]);

  teachFruit(server);
  during.clock.advance(600_000);
  await during.engine.idle();
  expect((await during.engine.health()).embedding).toMatchObject({ embeddedCount: 3, backlog: { pending: 0 } });
  expect((await during.found({ query: 'pears' }))[0]).toBe('red apples');
  expect((await during.found({ embedding: axis(9) }))[0]).toBe('own');
  await during.engine.close();

  const requests = server.requests.length;
  const after = await openWithModel();
  await after.engine.idle();
  expect((await after.engine.health()).embedding).toMatchObject({ embeddedCount: 3, backlog: { pending: 0 } });
  expect(server.requests).toHaveLength(requests);
});

test('after a change of the model the next process continues an interrupted embedding', async () => {
  const { server, open, openWithModel } = await openFolders();
  const before = await open();
  await before.storeMany(Array.from({ length: 50 }, (_, index) => ({ content: `apple number ${index}` })));
  await before.engine.idle();
  await before.engine.close();
  let served = 0;
  const answer = (body: { input: string[] }) => ({
    json: { data: body.input.map((_, index) => ({ index, embedding: axis(1) })) },
  });
  server.on('/v1/embeddings', ({ body }) => (served++ === 0 ? answer(body) : { status: 503, json: {} }));
  const during = await openWithModel();
  await during.engine.idle();
  expect((await during.engine.health()).embedding).toMatchObject({ embeddedCount: 20, backlog: { pending: 30 } });
  await during.engine.close();
  server.on('/v1/embeddings', ({ body }) => answer(body));
  const after = await openWithModel();
  await after.engine.idle();
  expect((await after.engine.health()).embedding).toMatchObject({ embeddedCount: 50, backlog: { pending: 0 } });
  expect((await after.engine.health()).vectors.vectorCount).toBe(50);
});

test('after a change of VECTOR_SIZE every vector is made again, including those supplied by callers', async () => {
  const { open } = await openFolders();
  const before = await open();
  await before.storeMany([{ content: 'red apples' }, { content: 'own words', embedding: axis(9) }]);
  await before.engine.idle();
  await before.engine.close();
  const after = await open({ VECTOR_SIZE: '32' });
  await after.engine.idle();
  expect(await after.engine.health()).toMatchObject({
    graph: { memoryCount: 2 },
    vectors: { vectorCount: 2 },
    embedding: { backlog: { pending: 0 } },
  });
  const [found] = (await after.recall({ query: 'own words' })).results;
  expect(found).toMatchObject({ foundBy: expect.arrayContaining(['vector']), memory: { content: 'own words' } });
});
