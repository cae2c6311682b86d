/** GraphStore contract: the history of a memory is written together with an edit, and deleted with the memory. */
import { expect, test } from 'vitest';
import type { Memory } from '../../src/domain/memory.js';
import type { MemoryChange, StoredHistory } from '../../src/stores/ports/memory-store.js';
import { idOf } from '../support/records.js';
import type { GraphHarness } from './graph-harness.js';

const AT = '2026-05-06T07:08:09.010Z';

function historyOf(...contents: string[]): StoredHistory {
  return { properties: { contents, note: `"quoted" \u0000 ${contents.length}` }, updated_at: AT };
}

function contentsIn(history: Pick<StoredHistory, 'properties'> | undefined): string[] {
  return (history?.properties.contents ?? []) as string[];
}

/** Returns a function that makes an edit. The edit replaces the content and adds the former content to the history. */
function to(content: string) {
  return (current: Memory, history: StoredHistory | undefined): MemoryChange => ({
    memory: { ...current, content },
    work: [],
    history: historyOf(current.content, ...contentsIn(history)),
  });
}

export function describeHistory(graph: GraphHarness): void {
  const stored = async (number: number) => graph.store.getNode('MemoryHistory', idOf(number));

  test('is written together with an edit, and is passed to the next edit', async () => {
    await graph.saveAll({ content: 'first' });
    expect((await graph.store.updateMemory(idOf(1), to('second')))?.content).toBe('second');
    await graph.store.updateMemory(idOf(1), to('third'));
    await graph.reopen();
    expect((await graph.read(idOf(1)))?.content).toBe('third');
    expect(await stored(1)).toEqual({ kind: 'MemoryHistory', id: idOf(1), ...historyOf('second', 'first') });
    expect(await graph.found('third')).toEqual([1]);
  });

  test('stays unchanged when an edit returns no history, and when updateMemory changes the memory', async () => {
    await graph.saveAll({ content: 'first' });
    await graph.store.updateMemory(idOf(1), to('second'));
    await graph.store.updateMemory(idOf(1), memory => ({ memory: { ...memory, importance: 1 }, work: [] }));
    await graph.store.updateMemory(idOf(1), memory => ({ memory: { ...memory, content: 'third' }, work: [] }));
    expect(contentsIn(await stored(1))).toEqual(['first']);
    expect(await graph.read(idOf(1))).toMatchObject({ content: 'third', importance: 1 });
  });

  test('is not written when the edit throws, when the store refuses the record, and when no memory has the id', async () => {
    await graph.saveAll({ content: 'kept' });
    const fail = () => {
      throw new Error('no');
    };
    const refused = (memory: Memory) => ({
      memory: { ...memory, importance: undefined as unknown as number },
      work: [],
      history: historyOf('kept'),
    });
    await expect(graph.store.updateMemory(idOf(1), fail)).rejects.toThrow('no');
    await expect(graph.store.updateMemory(idOf(1), refused)).rejects.toThrow();
    expect(await graph.store.updateMemory(idOf(9), to('new'))).toBeUndefined();
    expect([await stored(1), await stored(9)]).toEqual([undefined, undefined]);
    expect((await graph.read(idOf(1)))?.content).toBe('kept');
  });

  test('contains every former state once when many edits run at the same time', async () => {
    await graph.saveAll({ content: 'state 0' });
    const states = Array.from({ length: 12 }, (_, index) => `state ${index + 1}`);
    await Promise.all(states.map(state => graph.store.updateMemory(idOf(1), to(state))));
    const last = (await graph.read(idOf(1)))?.content ?? '';
    expect([last, ...contentsIn(await stored(1))].sort()).toEqual(['state 0', ...states].sort());
  });

  test('is deleted with its memory, and the histories of other memories stay', async () => {
    await graph.saveAll({ content: 'a' }, { content: 'b' }, { content: 'c' });
    for (const number of [1, 2, 3]) await graph.store.updateMemory(idOf(number), to('new'));
    expect(await graph.store.deleteMemories([idOf(1)])).toEqual([idOf(1)]);
    const second = (await graph.read(idOf(2))) as Memory;
    expect(await graph.store.deleteMemories([idOf(2)], new Map([[idOf(2), second.updated_at]]))).toEqual([idOf(2)]);
    expect([await stored(1), await stored(2)]).toEqual([undefined, undefined]);
    expect(contentsIn(await stored(3))).toEqual(['c']);
    await graph.saveAll({ content: 'second life' });
    expect(await stored(1)).toBeUndefined();
  });
}
