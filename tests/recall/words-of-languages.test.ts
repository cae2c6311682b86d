/** Notes in many languages, and names such as versions and digests, are found first among notes that differ little. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

interface Case {
  name: string;
  query: string;
  /** The wanted note is the first. */
  notes: string[];
}

const CASES = readFileSync(new URL('words-of-languages.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Case);

const { ask, store } = await openRecallApp();

test.each(CASES.map((each, at) => [each.name, at, each] as const))('recall: %s', async (name, at, { query, notes }) => {
  const tag = `among:${'abcdefghij'[Math.floor(at / 10)]}${'klmnopqrst'[at % 10]}`;
  // The wanted note is the oldest, so that it is not first by chance.
  const stored = notes.map((content, index) => [
    `${name} ${index}`,
    { content, tags: [tag], timestamp: `2026-01-0${index + 1}T12:00:00Z` },
  ]);
  await store(Object.fromEntries(stored));
  const { results } = await ask({ query, tags: tag, limit: '5' });
  expect(results[0]?.memory.content).toBe(notes[0]);
});

test.each([
  ['father', 'Her diet is low in fat since May.'],
  ['season', 'Our son loves the sea.'],
  ['carpet', 'The car for my pet is red.'],
])('recall: %s is not found in "%s"', async (query, content) => {
  const tag = `apart:${'kmp'[['father', 'season', 'carpet'].indexOf(query)]}`;
  await store({ [query]: { content, tags: [tag] } });
  const { results } = await ask({ query, tags: tag, limit: '5' });
  expect(results.map((result: { score_components: { lexical: number } }) => result.score_components.lexical)).toEqual(
    results.map(() => 0),
  );
});
