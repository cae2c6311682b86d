/**
 * Files of other programs are imported with their dates, tags, relations and origin. A second import changes nothing.
 */
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importRecords, linesOfSource } from '../../src/transfer/import-records.js';
import { openSource } from '../../src/transfer/recognize.js';
import {
  AUTOMEM_IDS,
  automemTar,
  basicMemoryFolder,
  chatgptFolder,
  chatgptZip,
  claudeCodeFolder,
  claudeMemFile,
  claudeZip,
  codexFolder,
  mcpServiceJson,
  mcpServiceSqlite,
  openmemoryZip,
  serverMemoryFile,
} from './foreign-files.js';
import { folderForTest, imported } from './imported.js';

describe('server-memory', () => {
  test('entities and observations become memories, and relations become edges', async () => {
    const { memories, holding, authored, leftOut } = await imported(serverMemoryFile(folderForTest()), 'server-memory');
    expect(memories).toHaveLength(6);
    const anna = holding('Anna (person)');
    expect(anna.memory.content).toBe('Anna (person)\nAnna maintains Shop.');
    expect(anna.memory.metadata).toMatchObject({
      origin: { source: 'server-memory', id: 'Anna' },
      relations: [{ type: 'maintains', to: 'Shop' }],
    });
    expect(authored(anna)).toMatchObject([{ to: holding('Shop (project)').memory.id, type: 'RELATES_TO' }]);
    expect(authored(holding('Anna: prefers tea'))).toMatchObject([{ to: anna.memory.id, type: 'PART_OF' }]);
    expect(holding('Older (note)').memory.content).toContain('Older mentions Shop.');
    expect(leftOut).toEqual(['1 relations: leads from or to an entity that is not in the file']);
  });
});

describe('mcp-memory-service', () => {
  test('the JSON export keeps times, tags, types and metadata', async () => {
    const { memories, holding, leftOut } = await imported(mcpServiceJson(folderForTest()), 'mcp-memory-service', {
      skipsInvalid: true,
    });
    expect(memories).toHaveLength(2);
    expect(holding('an hour').memory).toMatchObject({
      timestamp: '2025-10-09T08:53:20.500Z',
      updated_at: '2025-10-09T08:55:00.000Z',
      type: 'Decision',
      tags: expect.arrayContaining(['cache', 'ops']),
      metadata: { project: 'shop', origin: { source: 'mcp-memory-service', id: 'a'.repeat(64) } },
    });
    expect(holding('Tags as text').memory.tags).toEqual(expect.arrayContaining(['one', 'two']));
    expect(leftOut).toEqual(['1 memories: has no content']);
  });

  test('an import from the SQLite file keeps its graph and its superseded memories, and leaves out its deleted memories', async () => {
    const path = mcpServiceSqlite(folderForTest());
    const { holding, authored, leftOut } = await imported(path, 'mcp-memory-service');
    const [old, now] = [holding('Old:'), holding('New:')];
    expect(old.memory).toMatchObject({
      t_invalid: '2025-10-09T09:01:40.000Z',
      metadata: { a: 1, original_type: 'note' },
    });
    expect(authored(old)).toMatchObject([
      { to: now.memory.id, type: 'EVOLVED_INTO' },
      { to: now.memory.id, type: 'RELATES_TO', strength: 0.8 },
    ]);
    expect(leftOut).toEqual(['1 memories: was deleted']);
  });
});

describe('folders of assistants', () => {
  test('Claude Code: notes keep their name, project and links, and the index file is left out', async () => {
    const { memories, holding, authored, leftOut } = await imported(claudeCodeFolder(folderForTest()), 'claude-code');
    expect(memories).toHaveLength(2);
    const deploys = holding('Deploys run on Tuesdays');
    expect(deploys.memory).toMatchObject({
      timestamp: '2026-02-03T04:05:06.000Z',
      tags: expect.arrayContaining(['project:shop']),
      metadata: { title: 'deploys', description: 'How the shop is deployed', original_type: 'project' },
    });
    expect(authored(deploys)).toMatchObject([{ to: holding('short commits').memory.id, type: 'RELATES_TO' }]);
    expect(leftOut).toEqual(['1 sections: has no text except links to other files']);
  });

  test('Codex: each section becomes a memory, with the project to whose folder its group applies', async () => {
    const { memories, holding } = await imported(codexFolder(folderForTest()), 'codex');
    expect(memories).toHaveLength(5);
    expect(holding('The port is 5433').memory).toMatchObject({
      content: 'Task Group: shop checkout\nReuse\nThe port is 5433.',
      tags: expect.arrayContaining(['project:shop']),
    });
    const { content, tags } = holding('Run `npm test`').memory;
    expect(content).toBe('Task Group: habits\nTests\nRun `npm test`.');
    expect(tags.join()).not.toContain('project:');
  });
});

describe('data exports', () => {
  test.each([
    ['a folder of shards', chatgptFolder],
    ['a zip file', chatgptZip],
  ])('ChatGPT: the current branch of a conversation in %s becomes episodes', async (_, make) => {
    const { memories, holding, authored, leftOut } = await imported(make(folderForTest()), 'chatgpt');
    expect(memories).toHaveLength(4);
    const first = holding('Pier nine');
    expect(first.memory.content).toBe('Harbour\n\nUser: Which pier?\n\nAssistant: Pier nine.');
    expect(first.memory).toMatchObject({
      timestamp: '2025-10-09T08:53:30.000Z',
      metadata: { conversation: 'conv-1', part: 1, parts: 4, origin: { source: 'chatgpt', id: 'conv-1#0' } },
    });
    expect(authored(first)).toMatchObject([{ type: 'OCCURRED_BEFORE' }]);
    expect(memories.some(({ memory }) => /given up|hidden|alert/.test(memory.content))).toBe(false);
    expect(leftOut).toEqual(['1 episodes: has no text']);
  });

  test('Claude: conversations become episodes, and memories keep their project', async () => {
    const { memories, holding, leftOut } = await imported(claudeZip(folderForTest()), 'claude');
    expect(memories).toHaveLength(5);
    expect(holding('ferry').memory).toMatchObject({
      content: 'Ferry\n\nUser: When does the ferry leave?\n\nAssistant: At nine.',
      timestamp: '2026-01-05T10:00:00.000Z',
    });
    expect(holding('Anna runs a shop').memory.content).toBe('Work context\nAnna runs a shop.');
    expect(holding('Ben runs a garage').memory.content).toBe('Work context\nBen runs a garage.');
    expect(holding('The shop runs on').memory.tags).toContain('project:p-1');
    expect(leftOut).toEqual(['1 episodes: has no text']);
  });
});

describe('OpenMemory', () => {
  test('keeps categories, apps and states', async () => {
    const { memories, holding, leftOut } = await imported(openmemoryZip(folderForTest()), 'openmemory');
    expect(memories).toHaveLength(2);
    expect(holding('Likes tea').memory).toMatchObject({
      timestamp: '2025-05-01T10:00:00.000Z',
      updated_at: '2025-05-02T10:00:00.000Z',
      tags: expect.arrayContaining(['work']),
      metadata: { a: 1, app: 'cursor' },
    });
    expect(holding('Old habit').memory.archived).toBe(true);
    expect(leftOut).toEqual(['1 memories: was deleted']);
  });

  test('is read from its JSON Lines file if the zip file contains only that file', async () => {
    const { holding } = await imported(openmemoryZip(folderForTest(), false), 'openmemory');
    expect(holding('Likes tea').memory).toMatchObject({
      timestamp: '2025-05-01T10:00:00.000Z',
      metadata: { app: 'cursor' },
    });
  });
});

test('basic-memory: notes keep title, tags and typed links', async () => {
  const { memories, holding, authored } = await imported(basicMemoryFolder(folderForTest()), 'basic-memory');
  expect(memories).toHaveLength(2);
  const coffee = holding('Pour over');
  expect(coffee.memory.tags).toEqual(expect.arrayContaining(['drinks', 'brewing']));
  expect(coffee.memory.metadata).toMatchObject({ title: 'Coffee Brewing', permalink: 'coffee-brewing' });
  expect(authored(coffee)).toMatchObject([{ to: holding('kettle').memory.id, type: 'PART_OF' }]);
});

test('claude-mem: observations and summaries are imported, and prompts are left out', async () => {
  const { memories, holding, leftOut } = await imported(claudeMemFile(folderForTest()), 'claude-mem');
  expect(memories).toHaveLength(2);
  expect(holding('We compared two').memory).toMatchObject({
    content: 'Use PostgreSQL\nWe compared two.\n- It has transactions.',
    type: 'Decision',
    timestamp: '2025-10-09T08:53:20.000Z',
    tags: expect.arrayContaining(['project:shop', 'database']),
    metadata: {
      session: 's-1',
      files_read: ['a.ts'],
      origin: { id: expect.stringMatching(/^observation\/1#[0-9a-f]{12}$/) },
    },
  });
  expect(holding('Locks matter').memory.content).toBe('request: Choose a database\nlearned: Locks matter');
  expect(leftOut).toEqual([
    '1 observations: has no text',
    '1 prompts: is a prompt, which is a question or a request and not a fact',
  ]);
});

test('AutoMem: a backup keeps ids, timestamps and edges', async () => {
  const { holding, authored, leftOut } = await imported(await automemTar(folderForTest()), 'automem');
  const [first, second] = AUTOMEM_IDS;
  expect(holding('We chose').memory).toMatchObject({
    id: first,
    type: 'Decision',
    importance: 0.8,
    timestamp: '2025-06-01T10:00:00.000Z',
    metadata: { by: 'Ann', agent: 'x' },
  });
  const cause = holding('Tenants');
  expect([cause.memory.id, cause.memory.metadata.original_type]).toEqual([second, 'Memory']);
  expect(authored(cause)).toMatchObject([{ to: first, type: 'LEADS_TO', strength: 0.7 }]);
  expect(leftOut).toEqual(['1 relations: has the type SIMILAR_TO, which Engraph makes by itself']);
});

test('a memory that was changed after its import keeps the change at the next import', async () => {
  const { target, holding } = await imported(mcpServiceJson(folderForTest()), 'mcp-memory-service', {
    skipsInvalid: true,
  });
  const { id } = holding('an hour').memory;
  await target.test.patch(id, { content: 'The cache lives for a day.' });
  const source = await openSource('mcp-memory-service', mcpServiceJson(folderForTest()));
  const { memories } = await importRecords(() => linesOfSource(source, target.test.engine.limits), {
    client: target.client,
    isDryRun: false,
    readsTypes: true,
    skipsInvalid: true,
    onProgress: () => {},
  });
  expect(memories).toMatchObject({ created: 0, kept: expect.any(Number) });
  expect((await target.test.engine.get(id)).memory.content).toBe('The cache lives for a day.');
});

test('a record without a time of its own updates its memory after a change of the file, but not after one in Engraph', async () => {
  const path = join(folderForTest(), 'facts.jsonl');
  const write = (texts: readonly string[]) =>
    writeFileSync(
      path,
      texts.map((content, index) => `${JSON.stringify({ id: `fact ${index}`, content })}\n`).join(''),
    );
  write(['The shop opens at nine.', 'Ann likes tea.', 'The kettle is new.', 'Ben left.']);
  const { target, holding } = await imported(path, 'generic');
  const [opening, tea, kettle, ben] = ['opens', 'tea', 'kettle', 'Ben'].map(text => holding(text).memory.id);
  target.test.clock.advance(86_400_000);
  await target.test.patch(opening ?? '', { content: 'The shop opens at ten.' });
  await target.test.patch(tea ?? '', { importance: 0.9 });
  await target.test.patch(kettle ?? '', { archived: true });
  write(['The shop opens at nine.', 'Ann likes tea.', 'The kettle is new.', 'Ben left in May.']);
  utimesSync(path, new Date('2035-01-01'), new Date('2035-01-01'));
  const source = await openSource('generic', path);
  const again = await importRecords(() => linesOfSource(source, target.test.engine.limits), {
    client: target.client,
    isDryRun: false,
    readsTypes: true,
    onProgress: () => {},
  });
  expect(again).toMatchObject({ memories: { created: 0, updated: 1, kept: 3 }, missing: 0 });
  const stored = async (id = '') => (await target.test.engine.get(id)).memory;
  expect((await stored(opening)).content).toBe('The shop opens at ten.');
  expect((await stored(tea)).importance).toBe(0.9);
  expect((await stored(kettle)).archived).toBe(true);
  expect((await stored(ben)).content).toBe('Ben left in May.');
});
