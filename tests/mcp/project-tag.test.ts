/** The tag of the project that `store_memory` adds, when the client or the working folder tells the project. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/http/listen.js';
import { McpEndpoint } from '../../src/http/mcp/endpoint.js';
import { openForTest } from '../engine/open-engine.js';
import { MCP_SETTINGS } from '../http/mcp/mcp-app.js';
import { createTestApp } from '../http/test-app.js';
import { connectClient, structuredOf, testServerFactory, textOf } from './connected-client.js';

/** Makes a folder, and makes it a repository if it has a remote. */
function folder(name: string, remote?: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'engraph-roots-')), name);
  mkdirSync(join(path, 'src'), { recursive: true });
  if (remote === undefined) return path;
  mkdirSync(join(path, '.git'));
  writeFileSync(join(path, '.git', 'config'), `[remote "origin"]\n\turl = ${remote}\n`);
  return path;
}

const SHOP = 'git@github.com:acme/shop.git';

async function connect({ roots, workingFolder }: { roots?: () => unknown; workingFolder?: string } = {}) {
  const memory = await openForTest();
  const { client, call, close } = await connectClient(memory.engine, {
    log: memory.log,
    capabilities: roots ? { roots: { listChanged: true } } : {},
    ...(workingFolder !== undefined && { workingFolder }),
  });
  onTestFinished(close);
  const asked: unknown[] = [];
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, async request => {
      asked.push(request);
      return (await roots()) as { roots: { uri: string }[] };
    });
  }
  const tagsOf = async (id: string) =>
    (await memory.engine.get(id)).memory.tags.filter(tag => tag.startsWith('project'));
  return {
    ...memory,
    client,
    call,
    asked,
    tagsOf,
    store: async (args: object = {}) => {
      const result = await call('store_memory', { content: `The tills close at ten, rule ${asked.length}.`, ...args });
      const { memory_id, added_tag } = structuredOf<{ memory_id: string; added_tag?: string }>(result);
      return { tags: await tagsOf(memory_id), added_tag, text: textOf(result) };
    },
  };
}

const rootsAt = (...folders: string[]) => ({ roots: folders.map(path => ({ uri: pathToFileURL(path).href })) });

describe('a memory without a project', () => {
  test('gets the tag of the root of the client, and the answer says so', async () => {
    const shop = folder('clone', SHOP);
    const { store } = await connect({ roots: () => rootsAt(join(shop, 'src')) });
    const { tags, added_tag, text } = await store({ tags: ['tills'], type: 'Preference' });
    expect(tags).toEqual(['project:acme/shop']);
    expect(added_tag).toBe('project:acme/shop');
    expect(text).toContain('Tag added: project:acme/shop');
  });

  test.each([
    ['a tag of a project', { tags: ['project:other'] }, ['project:other']],
    ['a tag of a project in another form', { tags: ['Project/Other'] }, ['Project/Other']],
    ['the tag of all projects only', { tags: ['projects'] }, ['projects', 'project:acme/shop']],
  ])('is decided by its tags: %s', async (_, args, expected) => {
    const { store, engine } = await connect({ roots: () => rootsAt(folder('shop', SHOP)) });
    const { added_tag } = await store(args);
    const [{ memory }] = (await engine.recall({ limit: 1 })).results as unknown as [{ memory: { tags: string[] } }];
    expect(memory.tags).toEqual(expect.arrayContaining(expected));
    expect(added_tag).toBe(expected.find(tag => tag === 'project:acme/shop'));
  });

  test('gets none if the roots have several projects, none, or are on another machine', async () => {
    const [shop, other] = [folder('shop', SHOP), folder('other', 'git@github.com:acme/other.git')];
    for (const roots of [
      rootsAt(shop, other),
      rootsAt(shop, '/not/on/this/machine'),
      rootsAt(tmpdir()),
      { roots: [{ uri: 'file://elsewhere/shop' }] },
    ]) {
      const { store } = await connect({ roots: () => roots, workingFolder: shop });
      expect((await store()).tags).toEqual([]);
    }
  });

  test('gets the tag of two roots in one project', async () => {
    const shop = folder('shop', SHOP);
    const { store } = await connect({ roots: () => rootsAt(shop, join(shop, 'src')) });
    expect((await store()).tags).toEqual(['project:acme/shop']);
  });

  test('gets the tag of the working folder if that is in a repository and the client has no roots', async () => {
    const shop = folder('shop', SHOP);
    const cases = [
      [{ workingFolder: shop }, ['project:acme/shop']],
      [{ workingFolder: shop, roots: () => ({ roots: [] }) }, ['project:acme/shop']],
      [{ workingFolder: shop, roots: () => Promise.reject(new Error('no')) }, ['project:acme/shop']],
      [{ workingFolder: folder('plain') }, []],
      [{}, []],
    ] as const;
    for (const [options, tags] of cases) expect((await (await connect(options)).store()).tags).toEqual(tags);
  });

  test('is stored soon even if the client never answers', async () => {
    const { store, asked } = await connect({ roots: () => new Promise(() => {}) });
    expect((await store()).tags).toEqual([]);
    expect((await store({ content: 'The second one.' })).tags).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  test('asks once, and again after the roots have changed', async () => {
    const [shop, garden] = [folder('shop', SHOP), folder('garden')];
    let root = shop;
    const { store, client, asked } = await connect({ roots: () => rootsAt(root) });
    await store({ tags: ['project:given'] });
    expect(asked).toHaveLength(0);
    await store({ content: 'One.' });
    await store({ content: 'Two.' });
    expect(asked).toHaveLength(1);
    root = garden;
    await client.sendRootsListChanged();
    expect((await store({ content: 'Three.' })).tags).toEqual(['project:garden']);
    expect(asked).toHaveLength(2);
  });
});

test('each memory of a batch without a project gets the tag, and an update gets none', async () => {
  const { call, tagsOf } = await connect({ workingFolder: folder('shop', SHOP) });
  const memories = [
    { content: 'One.' },
    { content: 'Two.', tags: ['project:other'] },
    { content: 'Three.', tags: ['x'] },
  ];
  const result = await call('store_memory', { memories });
  const { memory_ids: ids, added_tag } = structuredOf<{ memory_ids: string[]; added_tag: string }>(result);
  expect(await Promise.all(ids.map(tagsOf))).toEqual([['project:acme/shop'], ['project:other'], ['project:acme/shop']]);
  expect(added_tag).toBe('project:acme/shop');
  expect(textOf(result)).toContain('Tag added where no project was named: project:acme/shop');
  await call('update_memory', { memory_id: ids[2], tags: ['x'] });
  expect(await tagsOf(ids[2] ?? '')).toEqual([]);
});

test('makes memories under the former name of the project known', async () => {
  const { add, store, call, engine } = await connect({ workingFolder: folder('till', SHOP) });
  await add({ content: 'The drawer sticks.', tags: ['project:till'] });
  await store();
  await engine.idle();
  expect(await engine.projects.list()).toEqual([{ project: 'acme/shop', formerName: 'till', memoryCount: 1 }]);
  const found = await call('recall_memory', { query: 'drawer', tags: ['project:acme/shop'] });
  expect(textOf(found)).toContain('The drawer sticks.');
});

describe('over HTTP', () => {
  async function connectOverHttp() {
    const { engine, log } = await openForTest();
    const createServer = testServerFactory(engine, log);
    const mcp = new McpEndpoint({ createServer, settings: MCP_SETTINGS });
    const listener = await listen(createTestApp({ engine, log, mcp }), {
      host: '127.0.0.1',
      port: 0,
      log,
      streams: mcp,
    });
    onTestFinished(() => listener.close());
    const capabilities = { roots: { listChanged: true } };
    const client = new Client({ name: 'test', version: '0' }, { capabilities });
    const transport = new StreamableHTTPClientTransport(new URL(`${listener.url}/mcp`));
    return { client, url: listener.url, connect: () => client.connect(transport as Parameters<Client['connect']>[0]) };
  }
  const storing = { name: 'store_memory', arguments: { content: 'The tills close at ten.' } };

  test('the roots of the client of a session tell the project', async () => {
    const shop = folder('shop', SHOP);
    const { client, connect: open } = await connectOverHttp();
    client.setRequestHandler(ListRootsRequestSchema, () => rootsAt(shop));
    await open();
    const { structuredContent } = await client.callTool(storing);
    expect(structuredContent).toMatchObject({ status: 'success', added_tag: 'project:acme/shop' });
    await client.close();
  });

  test('a request without a session gets no tag', async () => {
    const { url } = await connectOverHttp();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: storing });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await (await fetch(`${url}/mcp`, { method: 'POST', body, headers })).text();
    expect(answer).toContain('Memory stored.');
    expect(answer).not.toContain('added_tag');
  });
});
