/** The words of metadata find a memory, and count less than the words of its content. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

interface Case {
  name: string;
  metadata: Record<string, unknown>;
  content?: string;
  query: string;
}

const CASES = readFileSync(new URL('metadata-words.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Case);
const CONTENT = 'The meeting moved to Thursday.';

const { ask, store, request, idOf } = await openRecallApp();

const foundBy = async (query: string, tags: string): Promise<string[]> => {
  const { results } = await ask({ query, tags, limit: '10' });
  const withWords = results.filter(
    (result: { score_components: { lexical: number } }) => result.score_components.lexical > 0,
  );
  return withWords.map((result: { memory: { memory_id: string } }) => result.memory.memory_id);
};

test.each(CASES.map((each, at) => [each.name, at, each] as const))('recall finds %s', async (name, at, each) => {
  const tag = `case-${'abcdefghijklmnopqrstuvw'[at]}`;
  await store({
    [name]: { content: each.content ?? CONTENT, tags: [tag], metadata: each.metadata },
    [`${name} without`]: { content: CONTENT, tags: [tag], metadata: { other: 'value' } },
  });
  expect(await foundBy(each.query, tag)).toEqual([idOf(name)]);
});

test.each([
  ['a key', { wolverine: 'yes' }, 'wolverine'],
  ['a text of 201 characters', { body: `wolverine ${'x'.repeat(191)}` }, 'wolverine'],
  ['a text that shortening has replaced', { original_content: 'Wolverine' }, 'wolverine'],
])('recall does not find %s', async (name, metadata, query) => {
  const tag = `not-${name.length}`;
  await store({ [name]: { content: CONTENT, tags: [tag], metadata } });
  const { results } = await ask({ query, tags: tag, limit: '10' });
  for (const { score_components } of results) expect(score_components.lexical).toBe(0);
});

test('a memory with the word in its content is above those with the word in their metadata', async () => {
  const tags = ['order'];
  await store({
    'in content': { content: 'Heron is the code name of the new billing.', tags, importance: 0.1 },
    'in metadata': { content: 'The code name of the new billing is secret.', tags, metadata: { project: 'heron' } },
    'in metadata, important': {
      content: 'Bills are sent on Monday.',
      tags,
      metadata: { project: 'heron' },
      importance: 1,
    },
  });
  const { results } = await ask({ query: 'heron', tags: 'order' });
  expect(results).toHaveLength(3);
  expect(results[0].memory.memory_id).toBe(idOf('in content'));
  expect(results[1]).toMatchObject({ match_type: 'keyword', score_components: { keyword: 0 } });
});

test('a changed value is found by its new words only', async () => {
  const tags = 'changed';
  await store({ changed: { content: CONTENT, tags: [tags], metadata: { author: 'Osprey', team: 'Plover' } } });
  await request(`PATCH /memory/${idOf('changed')}`, { metadata: { author: 'Curlew' } });
  expect(await foundBy('osprey', tags)).toEqual([]);
  expect(await foundBy('curlew', tags)).toEqual([idOf('changed')]);
  expect(await foundBy('plover', tags)).toEqual([idOf('changed')]);
  await request(`PATCH /memory/${idOf('changed')}`, { metadata: { author: null } });
  expect(await foundBy('curlew', tags)).toEqual([]);
});
