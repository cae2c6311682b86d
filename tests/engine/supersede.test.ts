/**
 * The fields that a new memory copies from the memory that it supersedes, its note in that memory (docs/decisions.md,
 * "Superseding"), and the type of a memory after a change of its content.
 */
import { describe, expect, test } from 'vitest';
import { readObject } from '../../src/api/input.js';
import { memoryToStore, toNewMemory } from '../../src/api/memory-requests.js';
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

describe('a memory that supersedes another', () => {
  test('copies type, importance and tags, but not the entity tags of names that only the old content has', async () => {
    const { supersede } = await openWithOld();
    expect(await supersede({})).toMatchObject({
      type: 'Decision',
      confidence: 0.7,
      importance: 0.9,
      tags: ['project:billing', 'entity:tools:sqlite'],
    });
  });

  test('uses given fields instead of the fields of the superseded memory', async () => {
    const { supersede } = await openWithOld();
    expect(await supersede({ type: 'Context', importance: 0, tags: ['other'] })).toMatchObject({
      type: 'Context',
      confidence: 0.9,
      importance: 0,
      tags: ['other', 'entity:tools:sqlite'],
    });
  });
});

describe('the note in a superseded memory', () => {
  async function openChain() {
    const { engine, add } = await openForTest();
    const first = await add({ content: 'Billing runs on MySQL.', metadata: { source: 'chat' } });
    const replace = async (oldId: string, content: string) => {
      const given = { content, supersedes_memory_id: oldId, supersede_reason: 'moved', tags: ['newer'] };
      const { memory, supersession } = toNewMemory(readObject(memoryToStore(testLimits()), given, 'A memory'));
      return (await engine.store(memory, supersession)).memory.id;
    };
    const second = await replace(first, 'Billing runs on PostgreSQL.');
    const third = await replace(second, 'Billing runs on SQLite.');
    const noteOf = async (id: string) => {
      const { metadata } = (await engine.get(id)).memory;
      const { deprecated, superseded_by, supersede_relation, supersede_reason } = metadata;
      return { deprecated, superseded_by, supersede_relation, supersede_reason };
    };
    return { engine, first, second, third, noteOf };
  }
  const NO_NOTE = {};

  test('ends when the newer memory is deleted, and the notes of older memories stay', async () => {
    const { engine, first, second, third, noteOf } = await openChain();
    expect(await noteOf(second)).toMatchObject({ deprecated: true, superseded_by: third });
    await engine.remove(third);
    expect(await noteOf(second)).toEqual(NO_NOTE);
    expect(await noteOf(first)).toMatchObject({ deprecated: true, superseded_by: second });
  });

  test('ends when the newer memories are deleted by their tag, and other metadata stay', async () => {
    const { engine, first, noteOf } = await openChain();
    expect(await engine.removeByTag(['newer'])).toMatchObject({ deletedCount: 2 });
    expect(await noteOf(first)).toEqual(NO_NOTE);
    expect((await engine.get(first)).memory.metadata).toMatchObject({ source: 'chat' });
  });

  test('stays if it names another memory than the deleted one', async () => {
    const { engine, first, second, noteOf } = await openChain();
    await engine.update(first, { metadata: { superseded_by: 'elsewhere' } });
    await engine.remove(second);
    expect(await noteOf(first)).toMatchObject({ deprecated: true, superseded_by: 'elsewhere' });
  });
});

describe('the type of an updated memory', () => {
  const PREFERENCE = 'Ann prefers tea over coffee.';
  const DECISION = 'We decided to use PostgreSQL.';

  test('is derived again from new content if it was derived before', async () => {
    const { engine, add } = await openForTest();
    const id = await add({ content: PREFERENCE });
    expect((await engine.get(id)).memory.type).toBe('Preference');
    expect(await engine.update(id, { content: DECISION })).toMatchObject({ type: 'Decision' });
    expect(await engine.update(id, { content: 'Nothing to go by.' })).toMatchObject({
      type: 'Context',
      confidence: 0.3,
    });
  });

  test('that a caller has set is kept with new content, and is replaced when the update sets another', async () => {
    const { engine, add } = await openForTest();
    const id = await add({ content: PREFERENCE, type: 'Style' });
    expect(await engine.update(id, { content: DECISION })).toMatchObject({ type: 'Style', confidence: 0.9 });
    expect(await engine.update(id, { content: PREFERENCE, type: 'Habit' })).toMatchObject({ type: 'Habit' });
  });

  test('is kept when only another field changes', async () => {
    const { engine, add } = await openForTest();
    const id = await add({ content: PREFERENCE });
    expect(await engine.update(id, { importance: 1 })).toMatchObject({ type: 'Preference' });
  });
});
