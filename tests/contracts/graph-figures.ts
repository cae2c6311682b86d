/** GraphStore contract: counts and rankings that a store computes itself. */
import { expect, test } from 'vitest';
import type { Metadata } from '../../src/domain/json.js';
import { idOf, memory, relation } from '../support/records.js';
import { type GraphHarness, numbersOf } from './graph-harness.js';

const DAY_1 = '2026-03-01T12:00:00.000Z';
const DAY_2 = '2026-03-02T12:00:00.000Z';

export function describeFigures(graph: GraphHarness): void {
  test('figures of an empty store are empty', async () => {
    expect(await graph.store.countTypes()).toEqual([]);
    expect(await graph.store.surestPatterns({ aboveConfidence: 0, limit: 10 })).toEqual([]);
    expect(await graph.store.strongestPreferences(10)).toEqual([]);
    expect(await graph.store.importantOfTypes({ types: ['Habit'], leastImportance: 0, limit: 10 })).toEqual([]);
  });

  test('list memories of some types by importance, then newest first, then by id', async () => {
    await graph.saveAll(
      { type: 'Habit', importance: 0.7, timestamp: DAY_1 },
      { type: 'Preference', importance: 0.9, timestamp: DAY_1 },
      { type: 'Decision', importance: 1 },
      { type: 'Style', importance: 0.9, timestamp: DAY_2 },
      { type: 'Style', importance: 0.69 },
      { type: 'Preference', importance: 0.9, timestamp: DAY_1 },
    );
    const important = async (limit: number) =>
      numbersOf(
        await graph.store.importantOfTypes({ types: ['Preference', 'Style', 'Habit'], leastImportance: 0.7, limit }),
      );
    expect(await important(10)).toEqual([4, 2, 6, 1]);
    expect(await important(2)).toEqual([4, 2]);
    await graph.store.updateMemory(idOf(4), current => ({ memory: { ...current, type: 'Insight' }, work: [] }));
    await graph.store.deleteMemories([idOf(2)]);
    expect(await important(10)).toEqual([6, 1]);
  });

  test('figures count memories by type and sum their confidences, also after changes and deletions', async () => {
    await graph.saveAll(
      { type: 'Decision', confidence: 1 },
      { type: 'Decision', confidence: 0.5 },
      { type: 'Insight', confidence: 0 },
      { type: 'Insight', confidence: 0.1234567890123456 },
      {},
    );
    await graph.save([{ ...memory(6, { type: 'Decision', confidence: 0.3 }), archived: true }]);
    const byType = async () =>
      Object.fromEntries(
        (await graph.store.countTypes()).map(({ type, count, confidenceSum }) => [
          type,
          [count, Number(confidenceSum.toFixed(9))],
        ]),
      );
    expect(await byType()).toEqual({ Decision: [3, 1.8], Insight: [2, 0.123456789], Context: [1, 0.3] });
    await graph.store.updateMemory(idOf(1), current => ({ memory: { ...current, type: 'Habit' }, work: [] }));
    await graph.store.deleteMemories([idOf(3), idOf(5)]);
    expect(await byType()).toEqual({ Decision: [2, 0.8], Habit: [1, 1], Insight: [1, 0.123456789] });
  });

  test('rank patterns by confidence and then by observations, and skip malformed patterns', async () => {
    const save = (id: string, properties: Metadata, kind: 'Pattern' | 'MetaMemory' = 'Pattern') =>
      graph.store.saveNode({ kind, id, properties: { type: 'Habit', content: id, ...properties }, updated_at: DAY_1 });
    await save('b', { confidence: 0.7, observations: 7 });
    await save('a', { confidence: 0.7, observations: 7 });
    await save('many', { confidence: 0.7, observations: 20 });
    await save('unobserved', { confidence: 0.7 });
    await save('sure', { confidence: 0.95, observations: 3 });
    await save('certain', { confidence: 1 });
    await save('at the bound', { confidence: 0.6 });
    await save('doubtful', { confidence: 0.35 });
    await save('another kind', { confidence: 0.9 }, 'MetaMemory');
    for (const confidence of ['high', [1], { of: 1 }, null, true, 7]) await save(`odd ${confidence}`, { confidence });
    for (const content of [7, ['x'], null]) await save(`no text ${content}`, { confidence: 0.99, content });
    for (const type of [7, ['x'], null]) await save(`no type ${type}`, { confidence: 0.99, type });
    const ids = async (limit: number, aboveConfidence = 0.6) =>
      (await graph.store.surestPatterns({ aboveConfidence, limit })).map(({ id }) => id);
    expect(await ids(10)).toEqual(['certain', 'sure', 'many', 'a', 'b', 'unobserved']);
    expect(await ids(2)).toEqual(['certain', 'sure']);
    expect(await ids(10, 0.3)).toEqual(['certain', 'sure', 'many', 'a', 'b', 'unobserved', 'at the bound', 'doubtful']);
    expect(await graph.store.surestPatterns({ aboveConfidence: 0.9, limit: 2 })).toMatchObject([
      { kind: 'Pattern', properties: { confidence: 1 } },
      {
        kind: 'Pattern',
        id: 'sure',
        properties: { observations: 3, type: 'Habit', content: 'sure' },
        updated_at: DAY_1,
      },
    ]);
    await save('sure', { confidence: 0.5 });
    await graph.store.deleteNodes('Pattern', ['many']);
    expect(await ids(10)).toEqual(['certain', 'a', 'b', 'unobserved']);
  });

  test('rank PREFERS_OVER edges by strength and then newest first, and include no other edges', async () => {
    await graph.saveAll({}, {}, {}, {});
    const weak = relation(1, 'PREFERS_OVER', 2, { strength: 0.2, properties: { context: 'at work' } });
    const old = relation(2, 'PREFERS_OVER', 3, { strength: 0.8, updated_at: DAY_1 });
    const recent = relation(3, 'PREFERS_OVER', 1, { strength: 0.8, updated_at: DAY_2 });
    await graph.store.saveRelations([
      weak,
      relation(1, 'LEADS_TO', 2, { strength: 1 }),
      old,
      relation(2, 'SIMILAR_TO', 3, { strength: 0.9 }),
      recent,
      relation(4, 'PREFERS_OVER', 1, { strength: 1 }),
    ]);
    await graph.store.deleteMemories([idOf(4)]);
    expect(await graph.store.strongestPreferences(10)).toEqual([recent, old, weak]);
    expect(await graph.store.strongestPreferences(1)).toEqual([recent]);
    await graph.store.saveRelations([{ ...weak, strength: 0.95 }]);
    const ends = (await graph.store.strongestPreferences(2)).map(({ from, to }) => numbersOf([from, to]));
    expect(ends).toEqual([
      [1, 2],
      [3, 1],
    ]);
  });
}
