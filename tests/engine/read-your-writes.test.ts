/** Stored, updated and deleted memories are reflected in the next recall (docs/decisions.md, "Read your writes"). */
import { describe, expect, test } from 'vitest';
import { axis, openForTest } from './open-engine.js';

/** Makes notes that fill a batch, because only a large batch is saved in a thread. */
function someNotes(count: number) {
  return Array.from({ length: count }, (_, index) => ({ content: `Invoice number ${index} is paid.` }));
}

describe('a recall right after a write', () => {
  test('finds a stored memory by its words', async () => {
    const { add, storeMany, found } = await openForTest();
    await add({ content: 'The heron nests on the chimney.' });
    expect(await found({ query: 'heron' })).toEqual(['The heron nests on the chimney.']);
    await storeMany([{ content: 'A second heron.' }, { content: 'A third heron.' }]);
    expect(await found({ query: 'heron' })).toHaveLength(3);
    expect(await found({})).toHaveLength(3);
  });

  test('finds by vector a memory that was stored alone, in a batch or as a correction, or was updated', async () => {
    const { engine, add, storeMany, patch, recall } = await openForTest();
    const closeness = async (query: string) => (await recall({ query })).results[0]?.components.vector ?? 0;
    const id = await add({ content: 'The heron nests on the chimney.' });
    expect(await closeness('The heron nests on the chimney.')).toBeCloseTo(1, 2);
    await storeMany([{ content: 'The ferry sails on stormy lakes.' }, ...someNotes(10)]);
    expect(await closeness('The ferry sails on stormy lakes.')).toBeCloseTo(1, 2);
    const corrected = { content: 'The heron has moved to the lake.', metadata: {} };
    await engine.store(corrected, { oldId: id, type: 'INVALIDATED_BY' });
    expect(await closeness('The heron has moved to the lake.')).toBeCloseTo(1, 2);
    const changed = await add({ content: 'The budget is closed.' });
    await patch(changed, { content: 'Copper wires hum in winter.' });
    expect(await closeness('Copper wires hum in winter.')).toBeCloseTo(1, 2);
  });

  test('finds a memory by its supplied vector', async () => {
    const { add, found } = await openForTest();
    await add({ content: 'first', embedding: axis(1) });
    await add({ content: 'second', embedding: axis(2) });
    expect((await found({ embedding: axis(2) }))[0]).toBe('second');
  });

  test('finds an updated memory in its new form', async () => {
    const { engine, add, patch, found } = await openForTest();
    const id = await add({ content: 'apples', tags: ['fruit'] });
    await engine.idle();
    await patch(id, { content: 'submarines', tags: ['ships'] });
    expect(await found({ query: 'submarines' })).toEqual(['submarines']);
    expect(await found({ query: 'submarines', tags: 'ships' })).toEqual(['submarines']);
    expect(await found({ query: 'apples', tags: 'fruit' })).toEqual([]);
    expect(await found({ tags: 'fruit' })).toEqual([]);
    await patch(id, { timestamp: '2020-01-01' });
    expect(await found({ query: 'submarines', start: '2026-01-01' })).toEqual([]);
    expect(await found({ query: 'submarines', end: '2020-01-01' })).toEqual(['submarines']);
  });

  test('does not find a deleted memory, neither by words nor by vector', async () => {
    const { engine, add, found } = await openForTest();
    const id = await add({ content: 'apples', tags: ['fruit'], embedding: axis(1) });
    await add({ content: 'apples too', tags: ['more'], embedding: axis(2) });
    await engine.remove(id);
    expect(await found({ query: 'apples' })).toEqual(['apples too']);
    expect(await found({ embedding: axis(1) })).not.toContain('apples');
    await engine.removeByTag(['more']);
    expect(await found({ query: 'apples' })).toEqual([]);
    expect(await found({})).toEqual([]);
  });
});
