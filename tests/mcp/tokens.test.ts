/** What a model reads with every conversation and every recall is short, as counted by a tokenizer (o200k). */
import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNewMemory } from '../../src/api/memory-requests.js';
import { openTestEngine } from '../support/test-engine.js';
import { type ConnectedClient, connectClient, structuredOf, textOf } from './connected-client.js';

interface Recalled {
  results: { memory: { content: string; tags: string[]; memory_id: string } }[];
}

const OVERHEAD_MAX = 45;

const parsed = (file: string): Record<string, unknown>[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
const tokensOf = (value: unknown) => countTokens(typeof value === 'string' ? value : JSON.stringify(value));

let memory: Awaited<ReturnType<typeof openTestEngine>>;
let connected: ConnectedClient;
beforeAll(async () => {
  memory = await openTestEngine();
  for (const fields of parsed('varied-memories.jsonl')) {
    await memory.engine.store(readNewMemory(fields, memory.engine.limits));
  }
  await memory.engine.idle();
  connected = await connectClient(memory.engine);
});
afterAll(async () => {
  await connected.close();
  await memory.close();
});

describe('tools/list', () => {
  test('has at most 2,200 tokens with names, descriptions and input schemas', async () => {
    const { tools } = await connected.client.listTools();
    const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(tokensOf(listed)).toBeLessThanOrEqual(2200);
  });

  test('has at most 3,400 tokens with everything', async () => {
    expect(tokensOf((await connected.client.listTools()).tools)).toBeLessThanOrEqual(3400);
  });
});

test('the instructions have at most 250 tokens', async () => {
  expect(tokensOf(connected.client.getInstructions())).toBeLessThanOrEqual(250);
  const readOnly = await connectClient(memory.engine, { isReadOnly: true });
  expect(tokensOf(readOnly.client.getInstructions())).toBeLessThanOrEqual(250);
  await readOnly.close();
});

describe.each([5, 10])('the text of recalls with limit %i', limit => {
  const answers = async () =>
    Promise.all(
      parsed('varied-recalls.jsonl').map(async args => {
        const result = await connected.call('recall_memory', { ...args, limit });
        const { results } = structuredOf<Recalled>(result);
        const contents = results.reduce((sum, { memory: { content } }) => sum + tokensOf(content), 0);
        const [heading = '', ...items] = textOf(result).split('\n\n');
        const body = items.join('\n\n');
        return { args, results, heading: tokensOf(heading), overhead: tokensOf(body) - contents, text: body };
      }),
    );

  test(`has at most ${OVERHEAD_MAX} tokens a result besides its content`, async () => {
    const all = await answers();
    for (const { args, results, overhead } of all) {
      expect(results.length, JSON.stringify(args)).toBeGreaterThan(0);
      // A single result with long tags may have more.
      if (results.length > 1) expect(overhead / results.length, JSON.stringify(args)).toBeLessThanOrEqual(OVERHEAD_MAX);
    }
    const count = all.reduce((sum, { results }) => sum + results.length, 0);
    const whole = all.reduce((sum, { heading, overhead }) => sum + heading + overhead, 0);
    expect(whole / count).toBeLessThanOrEqual(OVERHEAD_MAX);
  });

  test('has number, date, type, score, the tags of callers, and the id last', async () => {
    for (const { text, results } of await answers()) {
      const facts = text.split('\n').filter(line => /^\d{4}-\d\d-\d\d /.test(line));
      expect(facts).toHaveLength(results.length);
      for (const [index, { memory: found }] of results.entries()) {
        const tags = found.tags.filter(tag => !tag.startsWith('entity:'));
        expect(facts[index]).toMatch(/^\d{4}-\d\d-\d\d [A-Z][a-z]+ \d?\.\d\d /);
        expect(facts[index]?.endsWith(` ${found.memory_id}`)).toBe(true);
        for (const tag of tags) expect(facts[index]).toContain(` ${tag} `);
        expect(facts[index]).not.toContain('entity:');
        expect(text).toContain(`${index + 1}. `);
      }
    }
  });
});

test('the text with explain has all tags and the relations of each result', async () => {
  const text = textOf(await connected.call('recall_memory', { query: 'PostgreSQL for billing', explain: true }));
  expect(text).toContain(' entity:tools:postgresql ');
  expect(text).toMatch(/\n {3}Relations: \d \((?:->|<-) [A-Z_]+ [\da-f-]{36}/);
});
