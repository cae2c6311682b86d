/** The work of a recall grows with the number of memories, and not with the number of their pairs. */
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startCounting } from '../support/counted-work.js';

const counting = await startCounting();
afterAll(counting.stop);
vi.resetModules();
const { createTestApp, send } = await import('../http/test-app.js');
const { openTestEngine } = await import('../support/test-engine.js');

/** So many memories that the full-text search does not read them one by one, which it does up to 300. */
const COUNT = 400;
/** Twice the memories may cost a little more than twice, because of the logarithm of sorting. */
const GROWTH_MAX = 2.3;
/** What ran for fewer than an eighth of the pairs of memories is no loop over pairs. */
const MANY = (2 * COUNT) ** 2 / 8;
const PART = 100;

interface Shape {
  name: string;
  /** Content and tags of the memory at an index. */
  make(index: number): { content: string; tags?: string[]; timestamp?: string };
  /** Pairs of indexes that an edge joins. */
  pairs?(count: number): [number, number][];
  type?: string;
  query: string;
  /** The number of memories before it is doubled, and the limit of the recall. The defaults are COUNT and the number. */
  count?: number;
  limit?: number;
  path?: '/recall' | '/recall/why-not';
}

const letters = (index: number) => `q${index.toString(36)}z`;
/** 800 words that differ from text to text. */
const longText = (index: number) =>
  Array.from({ length: 800 }, (_, word) => (((index + 1) * 800 + word) * 7_919).toString(36)).join(' ');
const minute = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();

const SHAPES: Shape[] = [
  {
    name: 'long texts with the same first and last word, limit 100',
    make: index => ({ content: `alpha ${longText(index)} n${index} omega` }),
    query: 'query=alpha+database',
    count: 500,
    limit: 100,
  },
  {
    name: 'texts with the same length, first and last word',
    make: index => ({ content: `alpha ${letters(index)} omega` }),
    query: 'query=alpha+omega',
  },
  {
    name: 'equal texts',
    make: () => ({ content: 'alpha beta omega' }),
    query: 'query=alpha+omega',
  },
  {
    name: 'equal words, different symbols',
    make: index => ({ content: `alpha ${index.toString(2).replaceAll('0', '-').replaceAll('1', '+')} omega` }),
    query: 'query=alpha+omega',
  },
  {
    name: 'texts with the same tags',
    make: index => ({
      content: `alpha ${letters(index)}`,
      tags: Array.from({ length: 20 }, (_, tag) => `area:${tag}`),
    }),
    query: 'query=alpha&tags=area',
  },
  {
    name: 'a chain of versions',
    make: index => ({ content: `alpha version ${letters(index)}` }),
    pairs: count => Array.from({ length: count - 1 }, (_, index) => [index, index + 1]),
    type: 'EVOLVED_INTO',
    query: 'query=alpha+version&state_debug=true',
  },
  {
    name: 'a chain of versions with history',
    make: index => ({ content: `alpha version ${letters(index)}` }),
    pairs: count => Array.from({ length: count - 1 }, (_, index) => [index, index + 1]),
    type: 'INVALIDATED_BY',
    query: 'query=alpha+version&state_mode=history',
  },
  {
    name: 'a ring of versions',
    make: index => ({ content: `alpha version ${letters(index)}` }),
    pairs: count => Array.from({ length: count }, (_, index) => [index, (index + 1) % count]),
    type: 'INVALIDATED_BY',
    query: 'query=alpha+version',
  },
  {
    name: 'a chain of versions that forks at each of them',
    make: index => ({ content: `alpha version ${letters(index)}` }),
    pairs: count =>
      Array.from({ length: count / 2 }, (_, index): [number, number][] => [
        [index, index + 1],
        [index, index + count / 2],
      ]).flat(),
    type: 'EVOLVED_INTO',
    query: 'query=alpha+version',
  },
  {
    name: 'memories with many subjects',
    make: index => ({
      content: `alpha version ${letters(index)}`,
      timestamp: minute(index),
      tags: Array.from({ length: 100 }, (_, tag) => `project:${tag}`),
    }),
    query: 'query=alpha+version',
  },
  {
    name: 'pairs of an old and a new memory',
    make: index => ({ content: `alpha version ${letters(index)}` }),
    pairs: count => Array.from({ length: count / 2 }, (_, index) => [index, index + count / 2]),
    type: 'EVOLVED_INTO',
    query: 'query=alpha+version',
  },
  {
    name: 'a hub and its neighbours',
    make: index => ({ content: index === 0 ? 'alpha hub' : `spoke ${letters(index)}` }),
    pairs: count => Array.from({ length: count - 1 }, (_, index) => [0, index + 1]),
    query: 'query=alpha+hub&expand_relations=true&expansion_limit=500&relation_limit=200',
  },
  {
    name: 'relations between all',
    make: index => ({ content: `${index % 2 === 0 ? 'alpha' : 'beside'} ${letters(index)}` }),
    pairs: count =>
      Array.from({ length: 3 * count }, (_, index) => [
        index % count,
        (index + 1 + 2 * Math.floor(index / count)) % count,
      ]),
    query: 'query=alpha&expand_relations=true&expansion_limit=500&relation_limit=200',
  },
  {
    name: 'many entities',
    make: index => ({
      content: `alpha meeting ${letters(index)}`,
      tags: Array.from({ length: 5 }, (_, tag) => `entity:people:person-${index + tag}`),
    }),
    query: 'query=alpha+meeting&expand_entities=true',
  },
  {
    name: 'one conversation',
    make: index => ({ content: `alpha said ${letters(index)}`, tags: ['session:1'], timestamp: minute(index) }),
    query: 'query=what+was+said+by+alpha',
  },
  {
    name: 'a listing by time',
    make: index => ({ content: `alpha ${letters(index)}`, tags: ['area'], timestamp: minute(index) }),
    query: 'tags=area&sort=time_desc',
  },
  {
    name: 'five questions',
    make: index => ({ content: `alpha ${letters(index)} omega` }),
    query: Array.from({ length: 5 }, (_, index) => `queries=alpha+omega+${letters(index)}`).join('&'),
  },
  {
    name: 'why-not',
    make: index => ({ content: `alpha ${letters(index)} omega` }),
    query: 'query=alpha+omega&min_score=2',
    path: '/recall/why-not',
  },
];

/** The work of the first recall among `count` memories that all match. */
async function workAmong(
  count: number,
  { make, pairs, type = 'RELATES_TO', query, path = '/recall', limit = count }: Shape,
) {
  const { engine, log, close } = await openTestEngine({ RECALL_MAX_LIMIT: '2000' });
  onTestFinished(close);
  const app = createTestApp({ engine, log });
  const post = async (route: string, json: unknown) => {
    const { status, body } = await send(app, `POST ${route}`, { json });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const ids: string[] = [];
  for (let start = 0; start < count; start += PART) {
    const part = Array.from({ length: PART }, (_, index) => make(start + index));
    ids.push(...(await post('/memory/batch', part)).memory_ids);
  }
  const associations = (pairs?.(count) ?? []).map(([from, to]) => ({
    memory1_id: ids[from],
    memory2_id: ids[to],
    type,
    strength: 0.9,
  }));
  for (let start = 0; start < associations.length; start += PART) {
    await post('/associate', { associations: associations.slice(start, start + PART) });
  }
  return counting.workOf(async () => {
    const { status, body } = await send(
      app,
      `GET ${path}?${query}&limit=${limit}${path === '/recall' ? '' : `&id=${ids[0]}`}`,
    );
    expect(status, JSON.stringify(body)).toBe(200);
  });
}

// In the whole suite V8 counts only functions here, and the counts of built-ins have to suffice. Alone, it counts blocks.
test.skipIf(process.env.CI)('the counter sees how often a loop of recall runs', async () => {
  const work = await workAmong(COUNT, SHAPES[1] as Shape);
  const ofKeys = [...work].filter(([block]) => block.startsWith('src/recall/select/page.ts keyOf '));
  expect(ofKeys.map(([, count]) => count)).toContain(COUNT);
});

describe('twice the memories cost about twice the work', () => {
  test.each(SHAPES)(
    '$name',
    async shape => {
      const { count: before = COUNT } = shape;
      const less = await workAmong(before, shape);
      const more = await workAmong(2 * before, shape);
      const grown = [...more]
        .map(([what, count]) => ({ what, count, ofFewer: less.get(what) ?? 0 }))
        .filter(({ count, ofFewer }) => count > MANY && count > GROWTH_MAX * ofFewer);
      expect(grown).toEqual([]);
    },
    180_000,
  );
});
