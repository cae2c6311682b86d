/** Tests the validity of a memory at an instant. The tests in tests/contracts check complete filters on every store. */
import { describe, expect, test } from 'vitest';
import { isValidAt } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';

describe('validity of a memory at an instant', () => {
  const at = (instant: string, bounds: Partial<Memory>) =>
    isValidAt({ archived: false, ...bounds }, Date.parse(instant));
  test.each<[string, boolean, Partial<Memory>]>([
    ['exists without bounds', true, {}],
    ['begins at t_valid', true, { t_valid: '2026-03-01T12:00:00.000Z' }],
    ['does not exist before t_valid', false, { t_valid: '2026-03-01T12:00:00.001Z' }],
    ['ends at t_invalid', false, { t_invalid: '2026-03-01T12:00:00.000Z' }],
    ['exists until t_invalid', true, { t_invalid: '2026-03-01T12:00:00.001Z' }],
    ['does not exist for an archived memory', false, { archived: true }],
  ])('%s', (_, expected, bounds) => {
    expect(at('2026-03-01T12:00:00.000Z', bounds)).toBe(expected);
  });
});
