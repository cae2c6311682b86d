/**
 * Every tag that can be stored can also be addressed alone, even if it contains commas
 * (docs/decisions.md, "Tags and commas").
 */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestApp } from './test-app.js';

async function openWith(...tagLists: string[][]) {
  const app = await openTestApp();
  onTestFinished(app.close);
  const ids: string[] = [];
  for (const tags of tagLists) {
    ids.push(
      (await app.call('POST /memory', { json: { content: `With ${tags.join(' and ')}`, tags } })).body.memory_id,
    );
  }
  const listed = async (query: string) =>
    (await app.call(`GET /memory/by-tag?limit=200&${query}`)).body.results.map(({ id }: { id: string }) => id);
  const recalled = async (query: string) =>
    (await app.call(`GET /recall?limit=100&${query}`)).body.results.map(({ id }: { id: string }) => id);
  return { ...app, ids, listed, recalled };
}

describe('a single text with a comma in tags', () => {
  test('means the tag with this spelling if it exists, otherwise several tags', async () => {
    const { ids, listed, recalled } = await openWith(['Smith, John'], ['x'], ['y']);
    const [smith, ...others] = ids;
    expect(await listed('tags=smith,%20john')).toEqual([smith]);
    expect(await recalled('tags=Smith,%20John')).toEqual([smith]);
    expect((await recalled('exclude_tags=Smith,%20John')).sort()).toEqual([...others].sort());
    expect((await listed('tags=x,y')).sort()).toEqual([...others].sort());
  });

  test('deletes only the memories with exactly that tag', async () => {
    const { call, ids, listed } = await openWith(['Smith, John'], ['x']);
    expect((await call('DELETE /memory/by-tag?tags=Smith,%20John')).body.deleted_count).toBe(1);
    expect(await listed('tags=x')).toEqual([ids[1]]);
  });

  test('deletes nothing when it may mean one tag or several tags', async () => {
    const { call, listed } = await openWith(['Smith, John'], ['John']);
    const { status, body } = await call('DELETE /memory/by-tag?tags=Smith,%20John');
    expect([status, body.field]).toEqual([400, 'tags']);
    expect(body.error).toContain("the one tag 'Smith, John' or as the tags Smith and John");
    expect(await listed('tags=Smith,%20John&tags=John')).toHaveLength(2);
    expect((await call('DELETE /memory/by-tag?tags=Smith,%20John&tags=')).body.deleted_count).toBe(1);
    expect(await listed('tags=John')).toHaveLength(1);
  });
});

test('a repeated tags parameter names each tag exactly, whatever characters the tag contains', async () => {
  const tag = fc.string({ unit: fc.constantFrom('a', 'B', ',', ' ', ':', '/', 'é', '🧠', '&', '='), minLength: 1 });
  const usable = tag.map(text => text.trim()).filter(text => text !== '');
  const key = (text: string) => text.toLowerCase();
  const tags = fc.sample(fc.uniqueArray(usable, { minLength: 12, maxLength: 12, selector: key }), {
    numRuns: 1,
    seed: 7,
  });
  const each = (tags[0] ?? []).map(text => [text]);
  const { ids, listed } = await openWith(...each);
  for (const [index, [text = '']] of each.entries()) {
    expect(await listed(`tags=${encodeURIComponent(text)}&tags=`), text).toEqual([ids[index]]);
  }
});
