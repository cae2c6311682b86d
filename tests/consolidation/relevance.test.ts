/** Checks the formula of decay with values computed by hand. */
import { expect, test } from 'vitest';
import { relevanceOf } from '../../src/consolidation/tasks/decay.js';
import { MS_PER_DAY, toIso } from '../../src/domain/time.js';

const NOW_MS = Date.parse('2026-03-01T00:00:00Z');
const USUAL = { ageDays: 0, idleDays: 0, importance: 0.5, confidence: 1, relations: 0 };

function relevance(given: Partial<typeof USUAL>): number {
  const { ageDays, idleDays, importance, confidence, relations } = { ...USUAL, ...given };
  const ago = (days: number) => toIso(NOW_MS - days * MS_PER_DAY);
  const memory = { timestamp: ago(ageDays), last_accessed: ago(idleDays), importance, confidence };
  return relevanceOf(memory, { relationCount: relations, nowMs: NOW_MS }).relevance;
}

test.each([
  // 1 * 0.6 * 1 * 1 * 1
  ['that is new and was just read', {}, 0.6],
  // e^-1 * 0.6
  ['that is a hundred days old and was read today', { ageDays: 100 }, 0.220728],
  // e^-0.1 * (0.3 + 0.3 * e^-0.5)
  ['that is ten days old and was never read', { ageDays: 10, idleDays: 10 }, 0.436095],
  // 0.6 * (1 + 0.3 * ln 4)
  ['with three edges', { relations: 3 }, 0.849533],
  // 0.6 * 0.85
  ['with confidence 0.5', { confidence: 0.5 }, 0.51],
  // 0.6 * 1.5
  ['with importance 1', { importance: 1 }, 0.9],
  // 0.5 * 0.3
  ['that is ten years old: the floor of its importance', { ageDays: 3650, idleDays: 3650 }, 0.15],
  ['with very many edges: at most 1', { relations: 1_000_000, importance: 1 }, 1],
  ['that is dated in the future: like a new one', { ageDays: -5, idleDays: -5 }, 0.6],
])('the relevance follows the formula for a memory %s', (_, given, expected) => {
  expect(relevance(given)).toBeCloseTo(expected, 6);
});

test('a memory that was read less than a day ago counts as read now', () => {
  expect(relevance({ idleDays: 0.99 })).toBe(relevance({}));
  expect(relevance({ idleDays: 1 })).toBeCloseTo(0.3 + 0.3 * Math.exp(-0.05), 9);
});
