/**
 * Vectors follow changes of their memories. Most recalls of these tests use only a vector, because a question would
 * also find the memories by their words.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder } from '../../src/embedding/hash.js';
import { startLaterVectors } from '../support/later-vectors.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { settingsForVectorsApart } from '../support/test-engine.js';
import { axis, openForTest, type TalkingEngine } from './open-engine.js';

/** The memories that the vector channel finds nearest to a text. */
async function nearest(test: TalkingEngine, text: string, filter: Record<string, unknown> = {}): Promise<string[]> {
  const [vector = []] = await createHashEmbedder(64).embed([text], 'query');
  const { results } = await test.recall({ embedding: [...vector], ...filter });
  return results.filter(({ foundBy }) => foundBy.includes('vector')).map(({ memory }) => memory.content);
}

describe('a vector', () => {
  test('is made in the background and then found', async () => {
    const { settings } = await startLaterVectors();
    const test = await openForTest(settings);
    await test.add({ content: 'apples and pears' });
    expect(await nearest(test, 'pears')).toEqual([]);
    await test.engine.idle();
    expect(await nearest(test, 'pears')).toEqual(['apples and pears']);
    expect(await test.recall({ query: 'pears' })).toMatchObject({ isVectorSearchEnabled: true });
  });

  test('is made two seconds after a write, even if no other request follows', async () => {
    const { settings } = await startLaterVectors();
    const test = await openForTest(settings);
    await test.add({ content: 'apples and pears' });
    test.clock.advance(2_000);
    await expect.poll(() => nearest(test, 'pears')).toEqual(['apples and pears']);
  });

  test('is filtered by the current tags and time of its memory', async () => {
    const test = await openForTest();
    const id = await test.add({ content: 'apples', tags: ['old'] });
    await test.engine.idle();
    await test.patch(id, { tags: ['new'], timestamp: '2020-01-01' });
    expect(await nearest(test, 'apples', { tags: 'new' })).toEqual(['apples']);
    expect(await nearest(test, 'apples', { tags: 'old' })).toEqual([]);
    expect(await nearest(test, 'apples', { end: '2020-12-31' })).toEqual(['apples']);
    expect(await nearest(test, 'apples', { start: '2026-01-01' })).toEqual([]);
    expect(await nearest(test, 'apples', { exclude_tags: 'new' })).toEqual([]);
  });

  test('is filtered by the current tags even if they change right after the memory is stored', async () => {
    const test = await openForTest();
    const id = await test.add({ content: 'apples', tags: ['old'], embedding: axis(1) });
    await test.patch(id, { tags: ['new'] });
    await test.engine.idle();
    const { results } = await test.recall({ embedding: axis(1), tags: 'new' });
    expect(results.map(({ foundBy }) => foundBy[0])).toEqual(['vector']);
  });

  test('is made again only when the content changes', async () => {
    const test = await openForTest();
    const id = await test.add({ content: 'apples and pears' });
    await test.engine.idle();
    await test.patch(id, { importance: 1, metadata: { a: 1 }, content: 'apples and pears' });
    expect(await test.engine.workStatus()).toMatchObject({ pending: 0, inFlight: 0 });
    await test.patch(id, { content: 'trains and ships' });
    expect(await test.engine.workStatus()).toMatchObject({ pending: 1, inFlight: 0 });
    await test.engine.idle();
    expect(await test.engine.health()).toMatchObject({
      graph: { memoryCount: 1 },
      vectors: { vectorCount: 1 },
      consistency: 'inSync',
    });
    const similarity = async (text: string) => (await test.recall({ query: text })).results[0]?.components.vector ?? 0;
    expect(await similarity('trains and ships')).toBeCloseTo(1, 2);
    expect(await similarity('apples and pears')).toBeLessThan(0.5);
  });

  test('follows the changes that were made while another store had the vectors', async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const apart = await settingsForVectorsApart();
    const within = async <Result>(settings: Record<string, string>, body: (test: TalkingEngine) => Promise<Result>) => {
      const test = await openForTest({ ENGRAPH_DATA_DIR: folder.path, ...settings });
      await test.engine.idle();
      const result = await body(test);
      await test.engine.idle();
      await test.engine.close();
      return result;
    };
    const id = await within(apart, test => test.add({ content: 'apples and pears', tags: ['old'] }));
    await within({}, test => test.patch(id, { content: 'trains and ships', tags: ['new'] }));
    const found = await within(apart, test => nearest(test, 'trains and ships', { tags: 'new' }));
    expect(found).toEqual(['trains and ships']);
  });

  test('is removed with its memory', async () => {
    const test = await openForTest();
    const ids = await Promise.all(['one', 'two', 'three'].map(content => test.add({ content })));
    await test.engine.idle();
    await test.engine.remove(ids[0] ?? '');
    expect(await test.engine.health()).toMatchObject({
      graph: { memoryCount: 2 },
      vectors: { vectorCount: 2 },
      consistency: 'inSync',
    });
  });
});

describe('a supplied vector', () => {
  test('is found at once, and also after background work and reopening', async () => {
    const test = await openForTest();
    await test.add({ content: 'words of another kind', embedding: axis(5) });
    const best = async () => (await test.recall({ embedding: axis(5) })).results[0];
    expect((await best())?.components.vector).toBeCloseTo(1, 2);
    await test.engine.idle();
    await test.reopen();
    await test.engine.idle();
    expect((await best())?.components.vector).toBeCloseTo(1, 2);
    expect((await best())?.memory).toMatchObject({ embedded_by: 'supplied' });
  });

  test.each([1e-20, 1e-10, 1e15, 1e30])('of length %f is found like any other', async length => {
    const test = await openForTest();
    await test.add({ content: 'scaled', embedding: axis(5).map(value => value * length) });
    await test.add({ content: 'other', embedding: axis(6) });
    const { results } = await test.recall({ embedding: axis(5).map(value => value * length) });
    expect(results[0]?.memory.content).toBe('scaled');
    expect(results[0]?.components.vector).toBeCloseTo(1, 2);
  });

  test('is replaced by a vector of the model when the content changes', async () => {
    const test = await openForTest();
    const id = await test.add({ content: 'apples', embedding: axis(5) });
    await test.engine.idle();
    await test.patch(id, { content: 'trains' });
    await test.engine.idle();
    expect((await test.engine.get(id)).memory).toMatchObject({ embedded_by: 'hash-v3-64' });
    expect((await nearest(test, 'trains'))[0]).toBe('trains');
  });

  test('does not count as drift while the worker still has to settle it', async () => {
    const test = await openForTest();
    await test.add({ content: 'apples', embedding: axis(5) });
    expect(await test.engine.health()).toMatchObject({
      graph: { memoryCount: 1 },
      vectors: { vectorCount: 1 },
      consistency: 'inSync',
    });
  });
});
