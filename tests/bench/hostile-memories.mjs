/** Memories that make single requests costly, and these requests. */
import { randomSource } from './corpus.mjs';

const PART = 100;
const random = randomSource(5);
const word = () => Math.floor(random() * 36 ** 5).toString(36);
const wordsOf = count => Array.from({ length: count }, word).join(' ');
const listOf = (count, make) => Array.from({ length: count }, (_, index) => make(index));

async function send(client, path, value) {
  const { status, text } = await client({ method: 'POST', path, body: Buffer.from(JSON.stringify(value)) });
  if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

/** @returns the ids, in order */
async function storeAll(client, memories) {
  const ids = [];
  for (let start = 0; start < memories.length; start += PART) {
    ids.push(...(await send(client, '/memory/batch', memories.slice(start, start + PART))).memory_ids);
  }
  return ids;
}

async function associateAll(client, pairs, type) {
  for (let start = 0; start < pairs.length; start += 500) {
    const associations = pairs
      .slice(start, start + 500)
      .map(([memory1_id, memory2_id]) => ({ memory1_id, memory2_id, type, strength: 0.9 }));
    await send(client, '/associate', { associations });
  }
}

const shared = wordsOf(800);
const sameEnds = index => `alpha ${wordsOf(800)} n${index} omega`;

export const prepared = [
  {
    name: '1,000 long texts with the same ends, limit 100',
    store: client =>
      storeAll(
        client,
        listOf(1_000, index => ({ content: sameEnds(index) })),
      ),
    requests: (_, { recall }) => recall({ query: 'alpha database', limit: '100' }),
  },
  {
    name: 'the same, 20 queries',
    requests: (_, { recall }) => ({
      path: `${recall({ limit: '100' }).path}&${listOf(20, index => `queries=alpha+n${index}+omega`).join('&')}`,
    }),
  },
  {
    name: 'the same, explained and with history',
    requests: (_, { recall }) =>
      recall({ query: 'alpha omega', limit: '100', explain: 'true', state_mode: 'history', state_debug: 'true' }),
  },
  {
    name: 'the same, as a prompt of 100,000 characters',
    requests: (_, { asJson }) =>
      asJson(
        '/hooks/prompt',
        JSON.stringify({ session_id: 's', prompt: `alpha omega? ${wordsOf(16_000)}`.slice(0, 90_000) }),
      ),
  },
  {
    name: '1,000 equal long texts, limit 100',
    store: client =>
      storeAll(
        client,
        listOf(1_000, () => ({ content: `beta ${shared}` })),
      ),
    requests: (_, { recall }) => recall({ query: 'beta', limit: '100' }),
  },
  {
    name: '1,000 long texts that differ in a symbol',
    store: client =>
      storeAll(
        client,
        listOf(1_000, index => ({ content: `gamma ${shared} ${'+'.repeat(index)}` })),
      ),
    requests: (_, { recall }) => recall({ query: 'gamma', limit: '100' }),
  },
  {
    name: '500 long texts in a batch, nearly equal',
    requests: (_, { asJson }) =>
      asJson('/memory/batch', JSON.stringify(listOf(500, index => ({ content: `delta ${shared} n${index} end` })))),
  },
  {
    name: 'a chain of 900 versions',
    store: async client => {
      const ids = await storeAll(
        client,
        listOf(900, index => ({ content: `epsilon version n${index} of the plan` })),
      );
      await associateAll(
        client,
        ids.slice(1).map((id, index) => [ids[index], id]),
        'EVOLVED_INTO',
      );
      return ids;
    },
    requests: (_, { recall }) => recall({ query: 'epsilon version plan', limit: '100', state_debug: 'true' }),
  },
  {
    name: 'a ring of 900 versions, with history',
    store: async client => {
      const ids = await storeAll(
        client,
        listOf(900, index => ({ content: `zeta version n${index} of the ring` })),
      );
      await associateAll(
        client,
        ids.map((id, index) => [id, ids[(index + 1) % ids.length]]),
        'INVALIDATED_BY',
      );
    },
    requests: (_, { recall }) => recall({ query: 'zeta version ring', limit: '100', state_mode: 'history' }),
  },
  {
    name: '150 memories, all related to all, depth 3',
    store: async client => {
      const ids = await storeAll(
        client,
        listOf(150, index => ({ content: `theta hub n${index}`, tags: ['theta'] })),
      );
      await associateAll(
        client,
        ids.flatMap(a => ids.filter(b => b > a).map(b => [a, b])),
        'RELATES_TO',
      );
      return ids;
    },
    requests: ([id]) => ({ path: `/memories/${id}/related?max_depth=3&limit=100` }),
  },
  {
    name: 'the same, expanded',
    requests: (_, { recall }) =>
      recall({
        query: 'theta hub',
        limit: '100',
        expand_relations: 'true',
        expansion_limit: '500',
        relation_limit: '200',
      }),
  },
  {
    name: '400 memories of 100 entities each, expanded',
    store: client =>
      storeAll(
        client,
        listOf(400, index => ({
          content: `iota meeting n${index}`,
          tags: listOf(100, tag => `entity:people:person-${(index * 31 + tag * 17) % 20_011}-of-${tag}`),
        })),
      ),
    requests: (_, { recall }) => recall({ query: 'iota meeting', limit: '100', expand_entities: 'true' }),
  },
  {
    name: '300 memories of 100 conversations each',
    store: client =>
      storeAll(
        client,
        listOf(300, index => ({
          content: `kappa said n${index}`,
          tags: listOf(100, tag => `session:s${tag}`),
          timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
        })),
      ),
    requests: (_, { recall }) => recall({ query: 'what was said by kappa?', limit: '100' }),
  },
  {
    name: '300 memories of 100 long tags, query of 64 words',
    store: client =>
      storeAll(
        client,
        listOf(300, index => ({
          content: `lambda note n${index}`,
          tags: listOf(100, tag => `${wordsOf(25)} ${(index * 100 + tag).toString(36)}`),
        })),
      ),
    requests: (_, { recall }) => recall({ query: `lambda note ${wordsOf(62)}`, limit: '100' }),
  },
  {
    name: 'why-not of a ring',
    store: async client => (await storeAll(client, [{ content: 'zeta version ring of its own' }]))[0],
    requests: (id, { recall }) => ({
      path: recall({ query: 'zeta version ring', id, limit: '1' }).path.replace('/recall?', '/recall/why-not?'),
    }),
  },
  { name: 'a dry run of consolidation', requests: (_, { asJson }) => asJson('/consolidate', '{"dry_run":true}') },
  { name: 'an analysis', requests: () => ({ path: '/analyze' }) },
  { name: 'an export', requests: () => ({ path: '/export' }) },
  {
    name: 'a page of an import, and an export beside it',
    store: async client => {
      const { text } = await client({ path: '/admin/export?limit=100' });
      return text;
    },
    requests: (text, { asJson }) => [
      asJson('/admin/import', JSON.stringify({ records: JSON.parse(text).records, last: true })),
      { path: '/export' },
    ],
  },
];
