/** Requests that cost the service much, whether it answers or refuses them, and `/health` for comparison. */

import { prepared } from './hostile-memories.mjs';

const asJson = (path, text) => ({ method: 'POST', path, body: Buffer.from(text) });
const recall = parameters => ({ path: `/recall?${new URLSearchParams(parameters)}` });
const batch = (count, fieldsOf) =>
  asJson('/memory/batch', JSON.stringify(Array.from({ length: count }, (_, index) => fieldsOf(index))));

const LEVELS = 16;
const deepTag = (index, tag) =>
  Array.from({ length: LEVELS }, (_, level) => `l${level}x${(index * 31 + tag * 7 + level) % 997}`).join(':');
const WORDS = 'release plan database customer review budget migration server incident weekly'.split(' ');
const textOf = (length, seed) => {
  let text = '';
  for (let index = seed; text.length < length; index++) text += `${WORDS[(index * 7) % WORDS.length]}${index % 4_999} `;
  return text.slice(0, length);
};
const QUESTIONS = Array.from({ length: 20 }, (_, index) => `What did we decide about the ${textOf(90, index * 13)}?`);

export const HOSTILE_REQUESTS = [
  { name: 'nothing', make: () => ({ path: '/health' }) },
  { name: 'query of 80,000 blanks', make: () => recall({ query: `a${' '.repeat(80_000)}B` }) },
  { name: 'query of 120,000 blanks', make: () => recall({ query: `a${' '.repeat(120_000)}B` }) },
  {
    name: 'time_query of 20,000 x "1 day "',
    make: () => recall({ query: 'plan', time_query: '1 day '.repeat(20_000) }),
  },
  {
    name: '20 queries, both expansions',
    make: () => {
      const parameters = new URLSearchParams({ expand_relations: 'true', expand_entities: 'true', limit: '20' });
      for (const question of QUESTIONS) parameters.append('queries', question);
      return { path: `/recall?${parameters}` };
    },
  },
  { name: 'language of 100,000 characters', make: () => recall({ query: 'plan', language: 'a'.repeat(100_000) }) },
  {
    name: '30 MB of nested JSON, one memory',
    make: () => {
      const nested = `${'['.repeat(60)}1${']'.repeat(60)}`;
      return asJson('/memory', `{"content":"a","metadata":{"a":[${Array(245_000).fill(nested)}]}}`);
    },
  },
  {
    name: '30 MB of nested JSON, many items',
    make: () => asJson('/memory/batch', `[${Array(245_000).fill(`${'['.repeat(60)}1${']'.repeat(60)}`)}]`),
  },
  { name: '30 MB of opening brackets', make: () => asJson('/memory', '['.repeat(30_000_000)) },
  {
    name: '30 MB of nested JSON in 500 memories',
    make: () => {
      const nested = `[${Array(490).fill(`${'['.repeat(60)}1${']'.repeat(60)}`)}]`;
      return asJson('/memory/batch', `[${Array(500).fill(`{"content":"a","metadata":{"a":${nested}}}`)}]`);
    },
  },
  {
    name: '2 million tags',
    make: () => asJson('/memory', `{"content":"a","tags":[${Array(2_000_000).fill('"tag"')}]}`),
  },
  {
    name: '500 memories x 64 KiB of metadata',
    make: () =>
      batch(500, index => ({
        content: `With metadata ${index}`,
        metadata: Object.fromEntries(Array.from({ length: 900 }, (_, key) => [`key${key}`, textOf(58, key + index)])),
      })),
  },
  {
    name: '500 memories x 50,000 characters',
    make: () => batch(500, index => ({ content: textOf(50_000, index * 97) })),
  },
  {
    name: '500 memories x 100 flat tags',
    make: () =>
      batch(500, index => ({
        content: `Flatly tagged ${index}`,
        tags: Array.from({ length: 100 }, (_, tag) => `flat-${(index * 31 + tag * 7) % 9_973}`),
      })),
  },
  {
    name: '500 memories x 100 tags x 16 levels',
    make: () =>
      batch(500, index => ({
        content: `Deeply tagged ${index}`,
        tags: Array.from({ length: 100 }, (_, tag) => deepTag(index, tag)),
      })),
  },
  ...prepared.map(({ name, store, requests }) => ({
    name,
    prepare: store,
    make: stored => requests(stored, { recall, asJson, QUESTIONS }),
  })),
];
