/** Validity at an instant. tests/contracts compares complete filters with every store. */
import { describe, expect, test } from 'vitest';
import { isValidAt } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';

describe('validity of a memory at an instant', () => {
  const at = (instant: string, bounds: Partial<Memory>) =>
    isValidAt({ archived: false, ...bounds }, Date.parse(instant));
  test.each<[string, boolean, Partial<Memory>]>([
    ['always without bounds', true, {}],
    ['from the first instant of its validity', true, { t_valid: '2026-03-01T12:00:00.000Z' }],
    ['not before that', false, { t_valid: '2026-03-01T12:00:00.001Z' }],
    ['no more at the end of its validity', false, { t_invalid: '2026-03-01T12:00:00.000Z' }],
    ['up to that', true, { t_invalid: '2026-03-01T12:00:00.001Z' }],
    ['never once archived', false, { archived: true }],
  ])('%s', (_, expected, bounds) => {
    expect(at('2026-03-01T12:00:00.000Z', bounds)).toBe(expected);
  });
});
