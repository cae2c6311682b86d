/** Short functions that create records for store suites. */
import { createMemory, type Memory, type NewMemory } from '../../src/domain/memory.js';
import type { Relation } from '../../src/domain/relation.js';
import { normalizeTags } from '../../src/domain/tags.js';

export const NOON = Date.parse('2026-03-01T12:00:00.000Z');

/** A UUID that shows its number: `00000000-0000-4000-8000-000000000007`. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export function memory(number: number, overrides: Partial<NewMemory> = {}): Memory {
  const input = { content: `memory number ${number}`, tags: [], importance: 0.5, metadata: {}, ...overrides };
  return createMemory({ ...input, tags: normalizeTags(input.tags) }, idOf(number), NOON);
}

export function relation(
  from: number,
  type: Relation['type'],
  to: number,
  overrides: Partial<Relation> = {},
): Relation {
  return {
    from: idOf(from),
    to: idOf(to),
    type,
    strength: 0.5,
    properties: {},
    updated_at: '2026-03-01T12:00:00.000Z',
    ...overrides,
  };
}
