/** A walk along edges as asked (decisions D15). */
import { parseMemoryId } from './memory-input.js';
import { type RawParameters, readCount, readList } from './raw-parameters.js';
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES, type RelationType } from './relation.js';

export interface RelatedQuery {
  id: string;
  types: readonly RelationType[];
  maxDepth: number;
  limit: number;
}

const MAX_DEPTH = 3;
const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 200;

/**
 * Reads a walk. Unknown types are dropped; with none left, all that callers make are followed.
 *
 * @throws MemoryError `invalid` naming the first bad parameter
 */
export function parseRelatedQuery(id: unknown, raw: RawParameters): RelatedQuery {
  const asked = new Set(readList(raw, 'relationship_types').map(name => name.toUpperCase()));
  const types = RELATION_TYPES.filter(type => asked.has(type));
  return {
    id: parseMemoryId(id),
    types: types.length > 0 ? types : [...AUTHORABLE_RELATION_TYPES].sort(),
    maxDepth: readCount(raw, 'max_depth', { max: MAX_DEPTH }) ?? 1,
    limit: readCount(raw, 'limit', { max: MAX_LIMIT }) ?? DEFAULT_LIMIT,
  };
}
