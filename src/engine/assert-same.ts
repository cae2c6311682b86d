/** Compares a new memory with the stored memory that has the same id. */
import { ownTags } from '../domain/entity.js';
import { MemoryError } from '../domain/errors.js';
import type { Memory, NewMemory } from '../domain/memory.js';
import { tagKeys } from '../domain/tags.js';

/**
 * Refuses a memory whose id already exists with different tags, type or importance
 * (docs/decisions.md, "Ids of the caller").
 *
 * @param index of the memory in a batch
 */
export function assertSame(input: NewMemory, stored: Memory, index?: number): void {
  const { tags, type, importance } = input;
  const holds = (names: readonly string[], others: readonly string[]) => {
    const keys = new Set(tagKeys(names));
    return tagKeys(others).every(key => keys.has(key));
  };
  // The caller may give or omit a tag that enrichment has added.
  const hasSameTags = !tags || (holds(stored.tags, tags) && holds(tags, ownTags(stored)));
  const differing = [
    ...(hasSameTags ? [] : ['tags']),
    ...(type && type !== stored.type ? ['type'] : []),
    ...(importance !== undefined && importance !== stored.importance ? ['importance'] : []),
  ];
  const [field] = differing;
  if (field === undefined) return;
  throw new MemoryError('conflict', `A memory with id ${stored.id} and different ${differing.join(', ')} exists`, {
    field,
    ...(index !== undefined && { index }),
    hint: 'To change the stored memory, use PATCH or update_memory.',
  });
}
