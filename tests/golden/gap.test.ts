/**
 * Checks the definition of the gap set: no question shares a word with the note that answers it, so only semantic
 * embeddings find the note.
 */
import { describe, expect, test } from 'vitest';
import { BURST_MEMORIES, CROWD, GAP_MEMORIES, MEMORIES } from './memories.js';
import { sharedStems } from './own-evidence.js';
import { GAP_QUERIES, UNANSWERABLE_GAP_QUERIES } from './queries.js';

const asked = GAP_QUERIES.map(({ ask, expected }) => ({ ask: String(ask), expected }));

describe('questions of the gap set', () => {
  test.each(asked)('share no word with the answering note: $ask', ({ ask, expected }) => {
    for (const name of expected) {
      const memory = CROWD[name];
      expect(memory, name).toBeDefined();
      expect(memory && sharedStems(ask, memory), name).toEqual([]);
    }
  });

  test('are each asked once', () => {
    const all = [...asked.map(({ ask }) => ask), ...UNANSWERABLE_GAP_QUERIES];
    expect(new Set(all).size).toBe(all.length);
  });

  test('are about notes that are currently valid', () => {
    const gone = asked
      .flatMap(({ expected }) => expected)
      .filter(name => CROWD[name]?.until ?? CROWD[name]?.from ?? CROWD[name]?.invalidatedBy);
    expect(gone).toEqual([]);
  });

  test('cover each note of the gap set', () => {
    const expected = new Set(asked.flatMap(({ expected }) => expected));
    expect(Object.keys(GAP_MEMORIES).filter(name => !expected.has(name))).toEqual([]);
  });
});

test('each golden set uses names that no other set uses', () => {
  const count = [MEMORIES, BURST_MEMORIES, GAP_MEMORIES].reduce((sum, set) => sum + Object.keys(set).length, 0);
  expect(Object.keys(CROWD)).toHaveLength(count);
});
