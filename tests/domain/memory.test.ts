/** Tests how a memory record is created and changed. */
import { describe, expect, test } from 'vitest';
import type { Metadata } from '../../src/domain/json.js';
import { applyPatch, createMemory, type Memory } from '../../src/domain/memory.js';
import { idOf, memory, NOON } from '../support/records.js';

const NOON_ISO = '2026-03-01T12:00:00.000Z';
const LATER_MS = NOON + 60_000;
const LATER_ISO = '2026-03-01T12:01:00.000Z';

describe('a new memory', () => {
  const least = { content: 'x', tags: [], importance: 0.5, metadata: {} };

  test('with only content has every default', () => {
    expect(createMemory(least, idOf(1), NOON)).toEqual({
      id: idOf(1),
      content: 'x',
      type: 'Context',
      confidence: 0.3,
      tags: [],
      tag_prefixes: [],
      importance: 0.5,
      metadata: {},
      timestamp: NOON_ISO,
      updated_at: NOON_ISO,
      last_accessed: NOON_ISO,
      enriched: false,
      archived: false,
    });
  });

  test('with a given type has confidence 0.9 unless a confidence is given too', () => {
    expect(createMemory({ ...least, type: 'Style' }, idOf(1), NOON)).toMatchObject({ type: 'Style', confidence: 0.9 });
    expect(createMemory({ ...least, type: 'Style', confidence: 0 }, idOf(1), NOON).confidence).toBe(0);
    expect(createMemory({ ...least, confidence: 0.7 }, idOf(1), NOON)).toMatchObject({
      type: 'Context',
      confidence: 0.7,
    });
  });

  test('was changed and accessed at its creation time unless other times are given', () => {
    const timestamp = '2020-01-01T00:00:00.000Z';
    const made = createMemory({ ...least, timestamp }, idOf(1), NOON);
    expect(made).toMatchObject({ timestamp, updated_at: timestamp, last_accessed: timestamp });
    const stated = { updated_at: '2021-01-01T00:00:00.000Z', last_accessed: '2022-01-01T00:00:00.000Z' };
    expect(createMemory({ ...least, timestamp, ...stated }, idOf(1), NOON)).toMatchObject(stated);
  });

  test('has the prefixes of its tags, and the given validity bounds', () => {
    const made = createMemory({ ...least, tags: ['X/y'], t_valid: NOON_ISO, t_invalid: LATER_ISO }, idOf(1), NOON);
    expect(made).toMatchObject({ tag_prefixes: ['x', 'x:y'], t_valid: NOON_ISO, t_invalid: LATER_ISO });
  });
});

describe('a changed memory', () => {
  const full: Memory = {
    ...memory(1, {
      content: 'old',
      tags: ['a'],
      metadata: { kept: 1, replaced: 'x', removed: true, deep: { a: 1 } },
      t_valid: '2026-01-01T00:00:00.000Z',
      t_invalid: '2026-12-31T00:00:00.000Z',
    }),
    summary: 's',
    embedded_by: 'm',
    relevance_score: 0.3,
    enriched: true,
  };

  test('is a new record, and the old record is unchanged', () => {
    const before = structuredClone(full);
    const changed = applyPatch(
      full,
      { content: 'new', tags: ['b'], metadata: { kept: null }, t_valid: null },
      LATER_MS,
    );
    expect(full).toEqual(before);
    expect(changed).not.toBe(full);
  });

  test('has the new values of the given fields, and keeps all other fields', () => {
    expect(applyPatch(full, { importance: 0, type: 'Habit' }, LATER_MS)).toEqual({
      ...full,
      importance: 0,
      type: 'Habit',
      updated_at: LATER_ISO,
    });
    expect(applyPatch(full, {}, LATER_MS)).toEqual({ ...full, updated_at: LATER_ISO });
  });

  test('has the given updated_at, if one is given', () => {
    expect(applyPatch(full, { updated_at: NOON_ISO }, LATER_MS).updated_at).toBe(NOON_ISO);
  });

  test('has the new tags and prefixes instead of the old ones', () => {
    expect(applyPatch(full, { tags: ['B/c'] }, LATER_MS)).toMatchObject({ tags: ['B/c'], tag_prefixes: ['b', 'b:c'] });
    expect(applyPatch(full, { tags: [] }, LATER_MS)).toMatchObject({ tags: [], tag_prefixes: [] });
  });

  test('has its metadata merged by key, and null removes a key', () => {
    const change = { replaced: [1], removed: null, absent: null, added: { b: null }, deep: { b: 2 } };
    expect(applyPatch(full, { metadata: change }, LATER_MS).metadata).toEqual({
      kept: 1,
      replaced: [1],
      added: { b: null },
      deep: { b: 2 },
    });
  });

  test('has an archival time only while it is archived', () => {
    const archived = applyPatch(full, { archived: true }, LATER_MS);
    expect(archived).toEqual({ ...full, archived: true, archived_at: LATER_ISO, updated_at: LATER_ISO });
    const forgotten: Memory = {
      ...full,
      archived: true,
      archived_at: NOON_ISO,
      archived_reason: 'little is left of it',
    };
    expect(applyPatch(forgotten, { archived: true }, LATER_MS)).toEqual({ ...forgotten, updated_at: LATER_ISO });
    expect(applyPatch(forgotten, { importance: 1 }, LATER_MS)).toMatchObject({ archived_at: NOON_ISO });
    expect(applyPatch(forgotten, { archived: false }, LATER_MS)).toEqual({ ...full, updated_at: LATER_ISO });
  });

  test('keeps metadata keys such as "constructor" that are also names of object properties', () => {
    const hostile = JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "toString": 2}') as Metadata;
    const changed = applyPatch(
      { ...full, metadata: hostile },
      { metadata: { toString: null as never, a: 1 } },
      LATER_MS,
    );
    expect(JSON.stringify(changed.metadata)).toBe('{"__proto__":{"x":1},"constructor":1,"a":1}');
    const removal = JSON.parse('{"__proto__": null, "constructor": null}') as Metadata;
    expect(JSON.stringify(applyPatch(changed, { metadata: removal }, LATER_MS).metadata)).toBe('{"a":1}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('loses its summary and its vector only when the content changes', () => {
    const rewritten = applyPatch(full, { content: 'new' }, LATER_MS);
    expect(rewritten).not.toHaveProperty('summary');
    expect(rewritten).not.toHaveProperty('embedded_by');
    expect(applyPatch(full, { content: 'old' }, LATER_MS)).toMatchObject({ summary: 's', embedded_by: 'm' });
  });

  test('gets or loses its validity bounds, and is refused if t_invalid would be before t_valid', () => {
    expect(applyPatch(full, { t_valid: null, t_invalid: null }, LATER_MS)).not.toHaveProperty('t_valid');
    expect(applyPatch(full, { t_invalid: '2026-06-01T00:00:00.000Z' }, LATER_MS)).toMatchObject({
      t_valid: '2026-01-01T00:00:00.000Z',
      t_invalid: '2026-06-01T00:00:00.000Z',
    });
    const contradiction = expect.objectContaining({ code: 'invalid', field: 't_invalid' });
    expect(() => applyPatch(full, { t_valid: '2027-01-01T00:00:00.000Z' }, LATER_MS)).toThrow(contradiction);
    expect(() => applyPatch(full, { t_invalid: '2025-01-01T00:00:00.000Z' }, LATER_MS)).toThrow(contradiction);
    const both = { t_valid: '2027-01-01T00:00:00.000Z', t_invalid: null };
    expect(applyPatch(full, both, LATER_MS)).toMatchObject({ t_valid: '2027-01-01T00:00:00.000Z' });
  });
});
