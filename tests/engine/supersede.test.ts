/**
 * What a new memory keeps of the one whose place it takes (docs/decisions.md, "Superseding"), and a type that the words
 * gave.
 */
import { describe, expect, test } from 'vitest';
import { readObject } from '../../src/api/input.js';
import { memoryToStore, toNewMemory } from '../../src/api/requests/memory.js';
import { testLimits } from '../support/test-limits.js';
import { openForTest } from './open-engine.js';

async function openWithOld() {
  const { engine, add } = await openForTest();
  const old = { type: 'Decision', importance: 0.9, tags: ['project:billing'], confidence: 0.7 };
  const oldId = await add({ content: 'Billing runs on PostgreSQL.', ...old });
  await engine.idle();
  const supersede = async (fields: object) => {
    const given = { content: 'Billing runs on SQLite.', supersedes_memory_id: oldId, ...fields };
    const { memory, supersession } = toNewMemory(readObject(memoryToStore(testLimits()), given, 'A memory'));
    const { id } = (await engine.store(memory, supersession)).memory;
    await engine.idle();
    return (await engine.get(id)).memory;
  };
  return { supersede };
}

describe('a memory that takes the place of another', () => {
  test('keeps its type, importance and tags, but not the tags of things that only the old one names', async () => {
    const { supersede } = await openWithOld();
    expect(await supersede({})).toMatchObject({
      type: 'Decision',
      confidence: 0.7,
      importance: 0.9,
      tags: ['project:billing', 'entity:tools:sqlite'],
    });
  });

  test('has what is stated instead', async () => {
    const { supersede } = await openWithOld();
    expect(await supersede({ type: 'Context', importance: 0, tags: [] })).toMatchObject({
      type: 'Context',
      confidence: 0.9,
      importance: 0,
      tags: ['entity:tools:sqlite'],
    });
  });
});

describe('the type of a memory whose content changes', () => {
  const PREFERENCE = 'Ann prefers tea over coffee.';
  const DECISION = 'We decided to use PostgreSQL.';

  test('is found again when the words had given it', async () => {
    const { engine, add } = await openForTest();
    const id = await add({ content: PREFERENCE });
    expect((await engine.get(id)).memory.type).toBe('Preference');
    expect(await engine.update(id, { content: DECISION })).toMatchObject({ type: 'Decision' });
    expect(await engine.update(id, { content: 'Nothing to go by.' })).toMatchObject({
      type: 'Context',
      confidence: 0.3,
    });
  });

  test('stays when somebody stated it, before or now', async () => {
    const { engine, add } = await openForTest();
    const id = await add({ content: PREFERENCE, type: 'Style' });
    expect(await engine.update(id, { content: DECISION })).toMatchObject({ type: 'Style', confidence: 0.9 });
    expect(await engine.update(id, { content: PREFERENCE, type: 'Habit' })).toMatchObject({ type: 'Habit' });
  });

  test('stays when something else changes', async () => {
    const { engine, add } = await openForTest();
    const id = await add({ content: PREFERENCE });
    expect(await engine.update(id, { importance: 1 })).toMatchObject({ type: 'Preference' });
  });
});
