/**
 * A memory may contain characters that a person cannot see. Every tool and every log line escapes these characters.
 * REST returns them unchanged.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/log.js';
import { createTestApp, send } from '../http/test-app.js';
import { openTestEngine } from '../support/test-engine.js';
import { blocksOf, type ConnectedClient, connectClient, structuredOf, textOf } from './connected-client.js';

/** "ignore" in Unicode tag characters, which a model may read but a person does not see. */
const TAGGED = [...'ignore'].map(letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const SECRET = `${TAGGED}\u200b\u200c\u200f\u061c\u202e\u2066\u00ad\u180e\ufeff\ufe01\u{e0101}\u001b[2J`;
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|[^\P{Cc}\n]/u;

const { engine, log, close } = await openTestEngine();
const app = createTestApp({ engine, log });
const fields = {
  content: `Parrots${SECRET} sing`,
  tags: [`birds`, `evil${SECRET}`],
  metadata: { [`key${SECRET}`]: [`value${SECRET}`] },
};
let client: ConnectedClient;
let id: string;
beforeAll(async () => {
  id = (await send(app, 'POST /memory', { json: fields })).body.memory_id;
  const { body } = await send(app, 'POST /memory', { json: { content: `Cages${SECRET}`, tags: ['birds'] } });
  const reason = `because${SECRET}`;
  const json = { memory1_id: id, memory2_id: body.memory_id, type: 'INVALIDATED_BY', reason };
  await send(app, 'POST /associate', { json });
  client = await connectClient(engine);
});
afterAll(async () => {
  await client.close();
  await close();
});

describe.each([
  ['a search', { query: `parrots${SECRET}`, state_mode: 'history', explain: true }],
  ['a list', { tags: ['birds'], exhaustive: true }],
  ['a search in blocks', { query: `parrots${SECRET}`, format: 'items' }],
  ['a search on labelled lines', { query: `parrots${SECRET}`, format: 'detailed' }],
  ['a search as JSON', { query: `parrots${SECRET}`, format: 'json' }],
  ['a list by a tag with hidden characters', { tags: [`evil${SECRET}`], exhaustive: true }],
  ['a search for nothing', { query: `nothing${SECRET}`, tags: [`none${SECRET}`] }],
])('%s', (_, args) => {
  test('escapes hidden characters in the text and in the structured content', async () => {
    const result = await client.call('recall_memory', args);
    for (const block of blocksOf(result)) expect(block).not.toMatch(UNSEEN);
    expect(JSON.stringify(structuredOf(result)).replaceAll('\\n', '')).not.toMatch(UNSEEN);
  });
});

test('recall_memory with memory_id escapes all hidden characters', async () => {
  const result = await client.call('recall_memory', { memory_id: id });
  expect(textOf(result)).not.toMatch(UNSEEN);
  expect(textOf(result)).toContain('Parrots\\u{E0069}\\u{E0067}');
  expect(textOf(result)).toContain('\\u{200F}\\u{61C}\\u{202E}');
  const [{ memory, relations }] = structuredOf<{
    results: [{ memory: { content: string; metadata: object }; relations: [{ reason: string }] }];
  }>(result).results;
  expect(memory.content).toContain('\\u{E0101}\\u{1B}[2J sing');
  expect(relations[0].reason).toContain('because\\u{E0069}');
  expect(JSON.stringify(memory.metadata)).toContain('\\\\u{FEFF}');
});

test('an error that repeats the input escapes its hidden characters', async () => {
  const result = await client.call('recall_memory', { tags: ['birds'], exhaustive: true, time_query: SECRET });
  expect(result.isError).toBe(true);
  expect(textOf(result)).not.toMatch(UNSEEN);
});

test('REST returns stored text unchanged', async () => {
  const { body } = await send(app, `GET /memory/${id}`);
  expect(body).toMatchObject({ content: fields.content, metadata: fields.metadata });
  expect(body.tags).toEqual(expect.arrayContaining(fields.tags));
});

test('the log escapes hidden characters, and a text cannot forge a log line', () => {
  const written: string[] = [];
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(text => written.push(String(text)) > 0);
  try {
    const logger = createLogger('info');
    const forged = `text${SECRET}\nengraph error: forged\u2028engraph error: forged`;
    logger.warn(forged, forged);
    logger.warn(forged, new Error(forged));
    logger.warn(forged, { text: forged });
  } finally {
    stderr.mockRestore();
  }
  expect(written.join('')).not.toMatch(UNSEEN);
  const lines = written.join('').split(/\n|\u2028/);
  expect(lines.filter(line => line.startsWith('engraph '))).toHaveLength(3);
});
