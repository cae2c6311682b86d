/** GraphStore contract: memories are returned exactly as they were saved, whatever they contain. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Metadata } from '../../src/domain/json.js';
import type { NewMemory } from '../../src/domain/memory.js';
import { idOf, memory } from '../support/records.js';
import type { GraphHarness } from './graph-harness.js';

/** Parsed like a request body, so that `__proto__` is a key like any other. */
const HOSTILE_METADATA = JSON.parse(`{
  "__proto__": {"polluted": true}, "constructor": "c", "toString": null, "hasOwnProperty": [], "": {},
  "a.b": 1, "$where": "1", "key with 'quote\\" and \`tick\`": "}) DETACH DELETE n //", "nul": "\\u0000", "half": "\\ud800",
  "numbers": [1e308, -1e308, 5e-324, 0.1, 9007199254740993, 12345678901234567890, -2147483649],
  "empty": [[], {}, "", [[]], [null]], "mixed": [1, "1", true, null, {"deep": [{"er": []}]}], "integral": 1.0
}`) as Metadata;

const EXTREMES: [string, Partial<NewMemory>][] = [
  ['metadata with hostile keys and extreme numbers', { metadata: HOSTILE_METADATA }],
  ['content of 50,000 code points', { content: '🧠'.repeat(50_000) }],
  [
    'content with markup, quotes and control characters',
    { content: '\u0001\u001b[31m$x $1 {{y}} <b>\r\n\t"\'`\\\u2028 end' },
  ],
  ['tags with line breaks', { tags: ['two\nlines', 'tab\there', 'carriage\rreturn'] }],
  ['a very long tag', { tags: ['x'.repeat(1000)] }],
  ['five hundred tags', { tags: Array.from({ length: 500 }, (_, index) => `tag:${index}`) }],
  ['tags of delimiters only', { tags: [':', '/', '::a::'] }],
  ['numbers at their bounds', { importance: 0, confidence: 1 }],
  ['numbers without a short decimal form', { importance: 0.1 + 0.2, confidence: Number.MIN_VALUE }],
  ['the first instant', { timestamp: '0000-01-01T00:00:00.000Z', updated_at: '0000-01-01T00:00:00.000Z' }],
  ['the last instant', { timestamp: '9999-12-31T23:59:59.999Z', last_accessed: '9999-12-31T23:59:59.999Z' }],
];

export function describeMemories(graph: GraphHarness): void {
  test('are returned exactly as they were saved, also after reopening', async () => {
    const full = memory(1, {
      content: 'Zoë said: "it\'s 100% – {braces} \\ back`ticks` 日本語 🎉"\nsecond line',
      type: 'Decision',
      confidence: 0.123456789,
      tags: ['Project:Billing/API', "o'clock", 'a\\b"c'],
      importance: 0.9,
      metadata: { "key'with`quotes": { nested: [1, 2.5, null, true, 'x'] }, '': 0 },
      timestamp: '1999-12-31T23:59:59.999Z',
      t_valid: '2020-01-01T00:00:00.000Z',
      t_invalid: '2030-01-01T00:00:00.000Z',
    });
    const plain = memory(2);
    expect(await graph.save([full, plain])).toEqual(['created', 'created']);
    const expected = new Map([
      [full.id, full],
      [plain.id, plain],
    ]);
    expect(await graph.store.getMemories([full.id, plain.id, idOf(9)])).toEqual(expected);
    await graph.reopen();
    expect(await graph.store.getMemories([full.id, plain.id])).toEqual(expected);
  });

  test.each(EXTREMES)('memories can contain %s', async (_, input) => {
    const record = memory(1, input);
    await graph.save([record]);
    const kept = await graph.read(record.id);
    expect(kept).toEqual(record);
    expect(JSON.stringify(kept?.metadata)).toBe(JSON.stringify(record.metadata));
    expect(await graph.found('absentword')).toEqual([]);
  });

  test.each(['C:\\new\\table', 'a", "b', '["a"]'])(
    'with the id %s, and this text as the reason for archiving, are returned unchanged',
    async id => {
      const archiving = { archived: true, archived_at: '2026-03-01T00:00:00.000Z', archived_reason: id };
      const records = [memory(1), { ...memory(2), ...archiving, id }];
      await graph.save(records);
      expect(await graph.store.getMemories([id, idOf(1)])).toEqual(new Map(records.map(each => [each.id, each])));
    },
  );

  test('with arbitrary text and metadata are returned unchanged, and are counted once', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter(value => value.trim() !== '');
    let number = 0;
    await fc.assert(
      fc.asyncProperty(text, text, fc.dictionary(text, text, { maxKeys: 3 }), async (content, tag, metadata) => {
        const record = memory(++number, { content, tags: [tag.replaceAll(',', '')], metadata });
        await graph.save([record]);
        expect(await graph.read(record.id)).toEqual(record);
        expect(await graph.store.countMemories()).toBe(number);
      }),
      { numRuns: 40 },
    );
  });

  test('with arbitrary JSON in their metadata are returned unchanged', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async values => {
        const metadata = JSON.parse(JSON.stringify(values)) as Metadata;
        const record = memory(++number, { metadata });
        await graph.save([record]);
        expect((await graph.read(record.id))?.metadata).toEqual(metadata);
      }),
      { numRuns: 40 },
    );
  });

  test('can be read, counted and removed thousands at a time', async () => {
    const many = Array.from({ length: 2_345 }, (_, index) => memory(index + 1, { tags: ['bulk'] }));
    await graph.save(many);
    const ids = many.map(({ id }) => id);
    expect(await graph.store.countMemories()).toBe(many.length);
    expect((await graph.store.getMemories([...ids, idOf(999_999)])).size).toBe(many.length);
    await graph.store.annotate(ids.map(id => ({ id, lastAccessed: '2026-05-01T00:00:00.000Z' })));
    expect((await graph.read(idOf(2_345)))?.last_accessed).toBe('2026-05-01T00:00:00.000Z');
    const [kept, ...removed] = ids;
    expect((await graph.store.deleteMemories([...removed, idOf(999_999)])).sort()).toEqual(removed.sort());
    expect(await graph.store.countMemories()).toBe(1);
    expect(await graph.store.list({ filter: {}, order: 'importance', limit: 10 })).toEqual([kept]);
  });

  test('of a batch are all written or not at all, and a conflict error gives the index of the memory', async () => {
    await graph.saveAll({ content: 'first' });
    const batch = [memory(2), memory(1, { content: 'something else' }), memory(3)];
    await expect(graph.save(batch, ['embed'])).rejects.toMatchObject({ code: 'conflict', field: 'id', index: 1 });
    expect(await graph.store.countMemories()).toBe(1);
    expect(await graph.store.getMemories([idOf(2), idOf(3)])).toEqual(new Map());
    expect(await graph.found('memory number')).toEqual([]);
    expect(await graph.store.workCounts('embed')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
  });

  test('that are saved again with the same content are reported as replayed and do not change', async () => {
    await graph.saveAll({ content: 'same', importance: 0.9, tags: ['kept'] });
    expect(await graph.saveAll({ content: 'same', importance: 0.1, tags: ['other'] })).toEqual(['replayed']);
    expect(await graph.read(idOf(1))).toMatchObject({ importance: 0.9, tags: ['kept'] });
    expect(await graph.store.countMemories()).toBe(1);
    expect(await graph.store.workCounts('embed')).toMatchObject({ pending: 0 });
  });

  test('with the same id in a batch are stored once if their contents are equal, and conflict otherwise', async () => {
    expect(await graph.save([memory(1), memory(1)])).toEqual(['created', 'replayed']);
    expect(await graph.store.countMemories()).toBe(1);
    await expect(graph.save([memory(2), memory(2, { content: 'other' })])).rejects.toMatchObject({ index: 1 });
    expect(await graph.store.countMemories()).toBe(1);
  });
}
