/** Creates files in the formats of other programs. The code below contains their whole content. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'libsql';
import { create } from 'tar';
import { zipOf } from './zip-file.js';

const lines = (...items: object[]) => items.map(item => `${JSON.stringify(item)}\n`).join('');

export function serverMemoryFile(folder: string): string {
  const path = join(folder, 'memory.jsonl');
  writeFileSync(
    path,
    lines(
      { type: 'entity', name: 'Anna', entityType: 'person', observations: ['prefers tea', 'lives in Bonn'] },
      { type: 'entity', name: 'Shop', entityType: 'project', observations: ['runs on PostgreSQL'] },
      { type: 'entity', entityName: 'Older', entityType: 'note', observations: [] },
      { type: 'relation', from: 'Anna', to: 'Shop', relationType: 'maintains' },
      { type: 'relation', from_id: 'Older', to_id: 'Shop', relation_type: 'mentions' },
      { type: 'relation', from: 'Anna', to: 'Nobody', relationType: 'knows' },
    ),
  );
  return path;
}

export function mcpServiceJson(folder: string): string {
  const path = join(folder, 'export.json');
  const memories = [
    {
      content: 'The cache lives for an hour.',
      content_hash: 'a'.repeat(64),
      tags: ['cache', 'ops'],
      memory_type: 'decision',
      metadata: { project: 'shop' },
      created_at: 1_760_000_000.5,
      updated_at: 1_760_000_100,
      created_at_iso: '2025-10-09T08:53:20.500Z',
    },
    { content: 'Tags as text.', content_hash: 'b'.repeat(64), tags: 'one,two', created_at: 1_760_000_200 },
    { content_hash: 'c'.repeat(64), tags: [] },
  ];
  writeFileSync(path, JSON.stringify({ export_metadata: { total_memories: 3, version: '5.0' }, memories }));
  return path;
}

export function mcpServiceSqlite(folder: string): string {
  const path = join(folder, 'sqlite_vec.db');
  const database = new Database(path);
  database.exec(`
    CREATE TABLE memories (id INTEGER PRIMARY KEY, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL, tags TEXT,
      memory_type TEXT, metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT, updated_at_iso TEXT,
      deleted_at REAL, parent_id TEXT, version INTEGER, confidence REAL, superseded_by TEXT);
    CREATE TABLE memory_graph (source_hash TEXT, target_hash TEXT, similarity REAL, connection_types TEXT, metadata TEXT);
    CREATE VIEW observations AS SELECT 1;
  `);
  const insert = database.prepare(
    `INSERT INTO memories (content_hash, content, tags, memory_type, metadata, created_at, updated_at, deleted_at, superseded_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  insert.run('h1', 'Old: the gate is 5433.', 'ports,gate', 'note', '{"a":1}', 1_760_000_000, 1_760_000_500, null, 'h2');
  insert.run('h2', 'New: the gate is 6033.', 'ports', 'decision', null, 1_760_000_400, 1_760_000_400, null, null);
  insert.run('h3', 'Gone.', null, null, null, 1_760_000_400, 1_760_000_400, 1_760_000_900, null);
  database.prepare('INSERT INTO memory_graph VALUES (?, ?, ?, ?, ?)').run('h1', 'h2', 0.8, '["semantic"]', '{}');
  database.close();
  return path;
}

export function claudeCodeFolder(folder: string): string {
  const path = join(folder, 'projects', '-home-ann-shop', 'memory');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'MEMORY.md'), '- [Deploys](deploys.md): how the shop is deployed\n- [Style](style.md)\n');
  const front =
    'name: deploys\ndescription: How the shop is deployed\nmetadata:\n  type: project\nmodified: 2026-02-03T04:05:06Z';
  writeFileSync(join(path, 'deploys.md'), `---\n${front}\n---\nDeploys run on Tuesdays. See [[style]].\n`);
  writeFileSync(
    join(path, 'style.md'),
    '---\nname: style\nmetadata:\n  type: feedback\n---\nAnna likes short commits.\n',
  );
  return path;
}

export function codexFolder(folder: string): string {
  const path = join(folder, 'memories');
  mkdirSync(path);
  writeFileSync(
    join(path, 'MEMORY.md'),
    '# Task Group: shop checkout\nscope: the shop\napplies_to: cwd=/home/anna/shop; reuse_rule=safe\n\n## Reuse\n\nThe port is 5433.\n\n' +
      '# Task Group: habits\napplies_to: cwd=/home/anna/shop and /home/anna/blog; reuse_rule=safe\n\n## Tests\n\nRun `npm test`.\n',
  );
  writeFileSync(join(path, 'memory_summary.md'), 'The user works on a shop.\n');
  return path;
}

const message = (role: string, text: string, at: number, metadata: object = {}) => ({
  author: { role },
  content: { content_type: 'text', parts: [text] },
  create_time: at,
  metadata,
});

export function chatgptConversations(): object[] {
  return [
    {
      conversation_id: 'conv-1',
      title: 'Harbour',
      create_time: 1_760_000_000,
      update_time: 1_760_000_300,
      current_node: 'd',
      mapping: {
        root: { id: 'root', parent: null, children: ['a'], message: null },
        a: { id: 'a', parent: 'root', children: ['b', 'c'], message: message('user', 'Which pier?', 1_760_000_010) },
        b: { id: 'b', parent: 'a', children: [], message: message('assistant', 'An answer given up.', 1_760_000_020) },
        c: { id: 'c', parent: 'a', children: ['h'], message: message('assistant', 'Pier nine.', 1_760_000_030) },
        h: {
          id: 'h',
          parent: 'c',
          children: ['d'],
          message: message('user', 'hidden', 1_760_000_035, { is_visually_hidden_from_conversation: true }),
        },
        d: { id: 'd', parent: 'h', children: [], message: message('user', 'x'.repeat(7_000), 1_760_000_040) },
      },
    },
    { conversation_id: 'conv-2', title: 'Empty', create_time: 1_760_000_000, mapping: {} },
  ];
}

export function chatgptFolder(folder: string): string {
  const path = join(folder, 'chatgpt');
  mkdirSync(path);
  const [first, second] = chatgptConversations();
  writeFileSync(join(path, 'conversations-000.json'), JSON.stringify([first], null, 1));
  writeFileSync(join(path, 'conversations-001.json'), JSON.stringify([second]));
  writeFileSync(join(path, 'chat.html'), '<script>alert(1)</script>');
  return path;
}

export function chatgptZip(folder: string): string {
  const path = join(folder, 'chatgpt.zip');
  writeFileSync(path, zipOf([{ name: 'export/conversations.json', content: JSON.stringify(chatgptConversations()) }]));
  return path;
}

export function claudeZip(folder: string): string {
  const path = join(folder, 'claude.zip');
  const conversations = [
    {
      uuid: 'c-1',
      name: 'Ferry',
      created_at: '2026-01-05T10:00:00.000000Z',
      updated_at: '2026-01-05T10:02:00.000000Z',
      chat_messages: [
        {
          uuid: 'm-1',
          sender: 'human',
          text: 'When does the ferry leave?',
          content: [],
          created_at: '2026-01-05T10:00:00Z',
          attachments: [],
        },
        {
          uuid: 'm-2',
          sender: 'assistant',
          text: '',
          content: [{ type: 'text', text: 'At nine.' }, { type: 'tool_use' }],
          created_at: '2026-01-05T10:01:00Z',
        },
      ],
    },
    { uuid: 'c-2', name: '', chat_messages: [] },
  ];
  const memories = [
    {
      conversations_memory: '**Work context**\n\nAnna runs a shop.\n\n**Preferences**\n\nShort answers.',
      project_memories: { 'p-1': 'The shop runs on PostgreSQL.' },
      account_uuid: 'someone',
    },
    { conversations_memory: '**Work context**\n\nBen runs a garage.', account_uuid: 'other' },
  ];
  writeFileSync(
    path,
    zipOf([
      { name: 'conversations.json', content: JSON.stringify(conversations) },
      { name: 'memories.json', content: JSON.stringify(memories) },
      { name: 'users.json', content: '[]' },
    ]),
  );
  return path;
}

export function openmemoryDocument(): object {
  return {
    user: { id: 'u', user_id: 'anna', name: 'Anna' },
    apps: [{ id: 'app-1', name: 'cursor' }],
    categories: [{ id: 'cat-1', name: 'work' }],
    memories: [
      {
        id: 'om-1',
        app_id: 'app-1',
        content: 'Likes tea.',
        metadata: { a: 1 },
        state: 'active',
        created_at: '2025-05-01T10:00:00+00:00',
        updated_at: '2025-05-02T10:00:00+00:00',
        category_ids: ['cat-1'],
      },
      {
        id: 'om-2',
        app_id: 'app-1',
        content: 'Old habit.',
        metadata: null,
        state: 'archived',
        created_at: '2025-04-01T10:00:00+00:00',
        category_ids: [],
      },
      { id: 'om-3', app_id: 'app-1', content: 'Removed.', state: 'deleted', created_at: '2025-04-01T10:00:00+00:00' },
    ],
    status_history: [],
    access_controls: [],
    export_meta: { version: '1' },
  };
}

export function openmemoryZip(folder: string, isWhole = true): string {
  const path = join(folder, 'openmemory.zip');
  const line = {
    id: 'om-1',
    content: 'Likes tea.',
    metadata: {},
    created_at: 1_746_093_600,
    updated_at: 1_746_180_000,
    state: 'active',
    app: 'cursor',
    categories: ['work'],
  };
  const entries = [{ name: 'memories.jsonl.gz', content: gzipSync(lines(line)) }];
  const whole = [{ name: 'memories.json', content: JSON.stringify(openmemoryDocument()) }];
  writeFileSync(path, zipOf(isWhole ? [...whole, ...entries] : entries));
  return path;
}

export function basicMemoryFolder(folder: string): string {
  const path = join(folder, 'basic');
  mkdirSync(join(path, 'specs'), { recursive: true });
  writeFileSync(
    join(path, 'coffee.md'),
    '---\ntitle: Coffee Brewing\ntype: note\ntags: [drinks]\npermalink: coffee-brewing\n---\n\n# Coffee Brewing\n\n- [method] Pour over is clear #brewing (morning)\n- part_of [[Kitchen Notes]]\n- mentions [[Nowhere]]\n',
  );
  writeFileSync(
    join(path, 'specs', 'kitchen.md'),
    '---\ntitle: Kitchen Notes\ntype: note\npermalink: specs/kitchen\n---\n\nThe kettle is new.\n',
  );
  return path;
}

export function claudeMemFile(folder: string): string {
  const path = join(folder, 'claude-mem.db');
  const database = new Database(path);
  database.exec(`
    CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT,
      subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, created_at TEXT,
      created_at_epoch INTEGER);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT, investigated TEXT,
      learned TEXT, completed TEXT, next_steps TEXT, created_at TEXT, created_at_epoch INTEGER);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, prompt_text TEXT, created_at_epoch INTEGER);
  `);
  database
    .prepare(
      `INSERT INTO observations (memory_session_id, project, type, title, subtitle, facts, narrative, concepts, files_read, created_at_epoch)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      's-1',
      'shop',
      'decision',
      'Use PostgreSQL',
      null,
      '["It has transactions."]',
      'We compared two.',
      '["database"]',
      '["a.ts"]',
      1_760_000_000_000,
    );
  database.prepare('INSERT INTO observations (project) VALUES (?)').run('shop');
  database
    .prepare(
      'INSERT INTO session_summaries (memory_session_id, project, request, learned, created_at_epoch) VALUES (?, ?, ?, ?, ?)',
    )
    .run('s-1', 'shop', 'Choose a database', 'Locks matter', 1_760_000_100_000);
  database.prepare('INSERT INTO user_prompts (prompt_text) VALUES (?)').run('please go on');
  database.close();
  return path;
}

export const AUTOMEM_IDS = ['e0b8b0fe-f587-4556-9bde-1d33eeff4197', 'a0b8b0fe-f587-4556-9bde-1d33eeff4198'] as const;

export function automemGraph(): object {
  const [first, second] = AUTOMEM_IDS;
  return {
    nodes: [
      {
        id: 0,
        labels: ['Memory'],
        properties: {
          id: first,
          content: 'We chose PostgreSQL.',
          type: 'Decision',
          confidence: 0.9,
          tags: ['shop'],
          importance: 0.8,
          timestamp: '2025-06-01T10:00:00+00:00',
          updated_at: '2025-06-02T10:00:00+00:00',
          metadata: '{"by":"Ann"}',
          agent: 'x',
        },
      },
      {
        id: 1,
        labels: ['Memory'],
        properties: {
          id: second,
          content: 'Tenants saw each other.',
          type: 'Memory',
          timestamp: '2025-05-01T10:00:00Z',
        },
      },
      { id: 2, labels: ['Pattern'], properties: { id: 'p' } },
    ],
    relationships: [
      { source_id: 1, type: 'LEADS_TO', target_id: 0, properties: { strength: 0.7 } },
      { source_id: 1, type: 'SIMILAR_TO', target_id: 0, properties: {} },
    ],
  };
}

export async function automemTar(folder: string): Promise<string> {
  const path = join(folder, 'automem.tar');
  mkdirSync(join(folder, 'backup', 'falkordb'), { recursive: true });
  mkdirSync(join(folder, 'backup', 'qdrant'), { recursive: true });
  writeFileSync(join(folder, 'backup', 'falkordb', '20260101.json.gz'), gzipSync(JSON.stringify(automemGraph())));
  writeFileSync(join(folder, 'backup', 'qdrant', '20260101.json.gz'), gzipSync('{"points":[]}'));
  await create({ file: path, cwd: join(folder, 'backup') }, ['falkordb', 'qdrant']);
  return path;
}
