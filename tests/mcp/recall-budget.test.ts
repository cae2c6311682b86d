/** `max_tokens` of `recall_memory`: the length of the text, and the notes about omitted parts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNewMemory } from '../../src/api/memory-requests.js';
import { estimateTokens } from '../../src/domain/shown-text.js';
import { openTestEngine } from '../support/test-engine.js';
import { type ConnectedClient, connectClient, structuredOf, textOf } from './connected-client.js';

interface Recalled {
  results: { memory: { memory_id: string; content: string; content_truncated?: true; content_chars?: number } }[];
  notes?: string[];
}

const LONG = `The archive of the observatory. ${'Every night the dome is opened. '.repeat(1400)}`.trim();
const JAPANESE = '天文台の記録。'.repeat(300);

let memory: Awaited<ReturnType<typeof openTestEngine>>;
let connected: ConnectedClient;
const recall = (args: Record<string, unknown>) => connected.call('recall_memory', args);

beforeAll(async () => {
  memory = await openTestEngine();
  for (const [content, tag] of [
    [LONG, 'long'],
    [JAPANESE, 'japanese'],
    ['A short one.', 'short'],
  ]) {
    await memory.engine.store(readNewMemory({ content, tags: [tag] }, memory.engine.limits));
  }
  await memory.engine.idle();
  connected = await connectClient(memory.engine);
});
afterAll(async () => {
  await connected.close();
  await memory.close();
});

describe('recall_memory with max_tokens and a single memory that is too long', () => {
  test.each([50, 200, 400])('shortens the text to about max(150, %i) tokens and says so', async max_tokens => {
    const text = textOf(await recall({ query: 'archive', tags: ['long'], max_tokens }));
    expect(estimateTokens(text)).toBeLessThanOrEqual(Math.max(max_tokens * 1.1, 150));
    expect(text).toMatch(/shortened to stay within max_tokens/);
    expect(text).toMatch(
      /1\. The archive of the observatory\..*… \(\d+ more characters: recall_memory with its memory_id\)/,
    );
  });

  test('shortens the memory even if every character is a token', async () => {
    const text = textOf(await recall({ tags: ['japanese'], max_tokens: 300 }));
    expect(estimateTokens(text)).toBeLessThanOrEqual(330);
    expect([...text].length).toBeGreaterThan(300);
  });

  test('shortens the structured content too, and states the full length', async () => {
    const { results, notes } = structuredOf<Recalled>(await recall({ tags: ['long'], max_tokens: 200 }));
    expect(results[0]?.memory).toMatchObject({ content_truncated: true, content_chars: LONG.length });
    expect(results[0]?.memory.content.length).toBeLessThan(800);
    expect(notes).toContain('shortened to stay within max_tokens');
  });

  test('says how many characters are hidden', async () => {
    const result = await recall({ tags: ['long'], max_tokens: 200 });
    const shown = structuredOf<Recalled>(result).results[0]?.memory.content.length ?? 0;
    expect(textOf(result)).toContain(`(${LONG.length - shown} more characters`);
  });
});

test.each([90])(
  'recall_memory in the detailed format keeps within %i tokens and says that it omits fields',
  async max_tokens => {
    const result = await recall({ tags: ['short'], format: 'detailed', max_tokens });
    const text = textOf(result);
    expect(estimateTokens(text)).toBeLessThanOrEqual(max_tokens);
    expect(text).toContain('A short one.');
    expect(text).toContain('fields left out to stay within max_tokens');
    expect(text).not.toContain('Accessed:');
  },
);

test('recall_memory with max_tokens shows a short text in full, without a note', async () => {
  const result = await recall({ tags: ['short'], max_tokens: 200 });
  expect(textOf(result)).not.toContain('max_tokens');
  expect(structuredOf<Recalled>(result).results[0]?.memory).not.toHaveProperty('content_truncated');
});

test('recall_memory without max_tokens shows the beginning of long texts, in text and structured content', async () => {
  const result = await recall({ tags: ['long'] });
  const beginning = LONG.slice(0, 2000);
  const [found] = structuredOf<Recalled>(result).results;
  expect(found?.memory).toMatchObject({ content: beginning, content_truncated: true, content_chars: LONG.length });
  expect(textOf(result)).toContain(`${beginning}… (${LONG.length - 2000} more characters`);
});

test('recall_memory with explain or memory_id shows the full text', async () => {
  const explained = structuredOf<Recalled>(await recall({ tags: ['long'], explain: true }));
  expect(explained.results[0]?.memory.content).toBe(LONG);
  const fetched = structuredOf<Recalled>(await recall({ memory_id: explained.results[0]?.memory.memory_id }));
  expect(fetched.results[0]?.memory.content).toBe(LONG);
});
