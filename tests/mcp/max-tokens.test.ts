/** `max_tokens` limits both forms of a recall answer: the text and the structured content. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GoldenEngine, openGoldenEngine } from '../golden/golden-engine.js';
import { ANSWERABLE_QUERIES, parametersOf } from '../golden/queries.js';
import { blocksOf, type ConnectedClient, connectClient } from './connected-client.js';

const RECALLS = 20;
/** The estimate of tokens may be wrong by this share. */
const TOLERANCE = 1.15;

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

interface Recalled {
  results: { memory: { memory_id: string } }[];
  count: number;
  notes: string[];
}

function forms(result: CallToolResult): { text: string; structured: string } {
  expect(result.isError).toBeFalsy();
  return { text: blocksOf(result).join('\n'), structured: JSON.stringify(result.structuredContent) };
}

function sample() {
  const step = ANSWERABLE_QUERIES.length / RECALLS;
  const queries = Array.from({ length: RECALLS }, (_, index) => ANSWERABLE_QUERIES[Math.floor(index * step)]);
  return queries.map(query => parametersOf(query?.ask ?? ''));
}

describe.each([250, 400, 800])('recall_memory with max_tokens %i', max_tokens => {
  test.each([{}, { format: 'items' }, { format: 'detailed' }, { format: 'json' }, { explain: true }])(
    'with %j keeps both the text and the structured content within the limit',
    async more => {
      for (const args of sample().slice(0, 5)) {
        const { text, structured } = forms(await recall({ ...args, ...more, limit: 20, max_tokens }));
        expect(countTokens(structured)).toBeLessThanOrEqual(max_tokens * TOLERANCE);
        expect(countTokens(text)).toBeLessThanOrEqual(max_tokens * TOLERANCE);
      }
    },
  );
});

test('recall_memory: with max_tokens the best results stay, and the omitted results are counted', async () => {
  const all = forms(await recall({ query: 'Which database does Lanternfish use?', limit: 5 }));
  const few = forms(await recall({ query: 'Which database does Lanternfish use?', limit: 5, max_tokens: 250 }));
  const { results: whole } = JSON.parse(all.structured) as Recalled;
  const { results, count, notes } = JSON.parse(few.structured) as Recalled;
  expect(count).toBe(results.length);
  expect(results.length).toBeLessThan(whole.length);
  expect(results.map(({ memory }) => memory.memory_id)).toEqual(
    whole.slice(0, count).map(({ memory }) => memory.memory_id),
  );
  const omitted = whole.length - count;
  expect(notes.join()).toContain(`${omitted} further result`);
  expect(few.text).toContain(`${omitted} further result`);
});

test('recall_memory: scores and relations are left out before any result is', async () => {
  const query = 'Which database does Lanternfish use?';
  const all = JSON.parse(forms(await recall({ query, limit: 5 })).structured) as Recalled;
  const { structured, text } = forms(await recall({ query, limit: 5, max_tokens: 700 }));
  const { results, notes } = JSON.parse(structured) as Recalled;
  expect(results).toHaveLength(all.results.length);
  for (const result of all.results) expect(result).toHaveProperty('relations');
  for (const result of results) expect(result).not.toHaveProperty('relations');
  expect(notes).toContain('fields left out to stay within max_tokens');
  expect(text).not.toContain('max_tokens');
});
