/** Size of recall answers: structured content is hardly longer than the text, and `max_tokens` limits both. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNewMemory } from '../../src/api/requests/memory.js';
import { estimateTokens } from '../../src/domain/tokens.js';
import { type GoldenEngine, openGoldenEngine } from '../golden/golden-engine.js';
import { parametersOf } from '../golden/golden-query.js';
import { ANSWERABLE_QUERIES } from '../golden/queries.js';
import { openTestEngine } from '../support/test-engine.js';
import { blocksOf, type ConnectedClient, connectClient } from './connected-client.js';

const RECALLS = 20;
const RATIO_MAX = 1.5;

let golden: GoldenEngine;
let connected: ConnectedClient;
const recall = (args: object) => connected.call('recall_memory', { ...args });

beforeAll(async () => {
  golden = await openGoldenEngine();
  connected = await connectClient(golden.engine);
});
afterAll(async () => {
  await connected.close();
  await golden.close();
});

function forms(result: CallToolResult): { text: string; structured: string } {
  expect(result.isError).toBeFalsy();
  return { text: blocksOf(result).join('\n'), structured: JSON.stringify(result.structuredContent) };
}

function sample() {
  const step = ANSWERABLE_QUERIES.length / RECALLS;
  const queries = Array.from({ length: RECALLS }, (_, index) => ANSWERABLE_QUERIES[Math.floor(index * step)]);
  return queries.map(query => parametersOf(query?.ask ?? ''));
}

test('recall_memory: the structured content is hardly longer than the text', async () => {
  const bytes = { text: 0, structured: 0 };
  for (const args of sample()) {
    const { text, structured } = forms(await recall({ ...args, limit: 5 }));
    bytes.text += Buffer.byteLength(text);
    bytes.structured += Buffer.byteLength(structured);
    expect(Buffer.byteLength(structured)).toBeLessThan(RATIO_MAX * Buffer.byteLength(text));
  }
  expect(bytes.text).toBeGreaterThan(RECALLS * 300);
  expect(bytes.structured).toBeLessThan(1.2 * bytes.text);
});

test('recall_memory: for a single small memory the structured content is hardly longer than the text', async () => {
  const small = await openTestEngine();
  await small.engine.store(readNewMemory({ content: 'Ann likes tea.', tags: ['people:ann'] }, small.engine.limits));
  const client = await connectClient(small.engine);
  const { text, structured } = forms(await client.call('recall_memory', { query: 'tea' }));
  await client.close();
  await small.close();
  expect(Buffer.byteLength(structured)).toBeLessThan(RATIO_MAX * Buffer.byteLength(text));
});

describe.each([250, 400, 800])('recall_memory with max_tokens %i', max_tokens => {
  test.each([{}, { format: 'items' }, { format: 'detailed' }, { format: 'json' }, { explain: true }])(
    'with %j keeps both the text and the structured content within the limit',
    async more => {
      for (const args of sample().slice(0, 5)) {
        const { text, structured } = forms(await recall({ ...args, ...more, limit: 20, max_tokens }));
        expect(estimateTokens(structured)).toBeLessThanOrEqual(max_tokens);
        expect(estimateTokens(text)).toBeLessThanOrEqual(max_tokens);
      }
    },
  );
});

test('recall_memory: with max_tokens the best results stay, and the omitted results are counted', async () => {
  const all = forms(await recall({ query: 'Which database does Lanternfish use?', limit: 5 }));
  const few = forms(await recall({ query: 'Which database does Lanternfish use?', limit: 5, max_tokens: 250 }));
  const { results: whole } = JSON.parse(all.structured) as { results: { memory_id: string }[] };
  const { results, count, notes } = JSON.parse(few.structured) as {
    results: { memory_id: string }[];
    count: number;
    notes: string[];
  };
  expect(count).toBe(results.length);
  expect(results.length).toBeLessThan(whole.length);
  expect(results.map(each => each.memory_id)).toEqual(whole.slice(0, count).map(each => each.memory_id));
  const omitted = whole.length - count;
  expect(notes.join()).toContain(`${omitted} further result`);
  expect(few.text).toContain(`${omitted} further result`);
});

test('tools/list: the output schema of recall_memory has fewer than 3000 characters', async () => {
  const { tools } = await connected.client.listTools();
  const listed = tools.find(({ name }) => name === 'recall_memory');
  expect(JSON.stringify(listed?.outputSchema).length).toBeLessThan(3000);
});
