/** Duplicates are shown as one memory, and no later step adds their copies again. */
import { expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, associate, idOf, request } = await openRecallApp();

test('recall: case, spacing and punctuation do not distinguish two texts, but symbols do', async () => {
  await store({
    plain: { content: 'The team likes C', tags: ['symbols'], importance: 0.9 },
    again: { content: 'the  team likes c.', tags: ['symbols'] },
    sharp: { content: 'The team likes C#', tags: ['symbols'] },
    plus: { content: 'The team likes C++', tags: ['symbols'] },
    party: { content: '🎉', tags: ['symbols'] },
    fire: { content: '🔥', tags: ['symbols'] },
  });
  const names = await recall({ query: 'which language does the team like', tags: 'symbols', limit: '10' });
  expect(names.sort()).toEqual(['fire', 'party', 'plain', 'plus', 'sharp']);
});

test('recall: expansion does not add a copy of a result', async () => {
  await store({
    umbrella: { content: 'Umbrella rule', tags: ['entity:thing:umbrella'], importance: 0.9 },
    twin: { content: 'umbrella rule', tags: ['entity:thing:umbrella'] },
  });
  await associate('umbrella', 'RELATES_TO', 'twin');
  for (const expand of ['expand_relations', 'expand_entities']) {
    expect(await recall({ query: 'umbrella rule', [expand]: 'true' })).toEqual(['umbrella']);
  }
});

test('why-not: a candidate of several queries counts once, and omission by max_tokens is reported', async () => {
  const whales = Array.from({ length: 6 }, (_, index) => `whale${index}`);
  await store(
    Object.fromEntries(
      whales.map((name, index) => [name, { content: `${name} song`, tags: ['whale'], importance: 0.9 - index / 10 }]),
    ),
  );
  const why = (parameters: string) => request(`GET /recall/why-not?id=${idOf('whale5')}&tags=whale&${parameters}`);
  const several = await why('queries=song&queries=songs+of+a+whale&limit=1');
  expect(several.reason).toBe('ranked_too_low');
  expect(several.message).toContain('of 6 candidates');
  expect(await why('query=song&limit=6')).toMatchObject({ returned: true });
  expect(await why('query=song&limit=6&max_tokens=1')).toMatchObject({ returned: false, reason: 'ranked_too_low' });
});

test('recall: the fallback marks memories outside the tags, and explains each by the query that found it', async () => {
  await store({
    both: { content: 'Falcon nest on the roof', tags: ['bird', 'city'] },
    one: { content: 'Falcon nest on the tower', tags: ['bird'] },
  });
  const { results } = await ask({ query: 'falcon', tags: ['bird', 'city'], tag_mode: 'all', scope_fallback: 'true' });
  const outside = (name: string) =>
    results.find((result: { id: string }) => result.id === idOf(name))?.outside_tag_scope ?? false;
  expect([outside('both'), outside('one')]).toEqual([false, true]);
  const queries = ['zeppelin', 'falcon nest'];
  const several = await ask({ queries, tags: 'city', scope_fallback: 'true', explain: 'true' });
  const found = several.results.find((result: { id: string }) => result.id === idOf('one'));
  expect(found.explanation.terms.map(({ term }: { term: string }) => term)).toEqual(['falcon', 'nest']);
});

test('recall: an error does not repeat a long time expression', async () => {
  expect((await ask({ time_query: 'x'.repeat(20_000) }, 400)).message.length).toBeLessThan(300);
});
