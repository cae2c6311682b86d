/** Reading of a request to enrich memories again. */
import { countProblem, joinedLengthProblem, type ListLimits } from './bounds.js';
import { invalidField } from './errors.js';
import { isPlainObject } from './json.js';
import { parseMemoryId } from './memory-input.js';
import type { RawParameters } from './raw-parameters.js';

const FIELD = 'ids';
/** An id has 36 characters, and may have blanks around it. */
const LIMITS: ListLimits = { maxCount: 1_000, maxLength: 99 };

/**
 * Reads the ids, an array or a text with commas, from the body or else from the query string.
 *
 * @throws MemoryError `invalid` with the field `ids` when there are none or one is no UUID
 */
export function parseReprocessing(body: unknown, query: RawParameters): string[] {
  const given = isPlainObject(body) ? (body.ids ?? query.ids) : query.ids;
  const items: unknown[] = Array.isArray(given) ? given : given === undefined ? [] : [given];
  refuse(countProblem(items, LIMITS.maxCount));
  const ids = items.flatMap(item => {
    if (typeof item !== 'string') throw invalidField(FIELD, 'must be an array of memory ids');
    refuse(joinedLengthProblem(item, LIMITS));
    return item.split(',');
  });
  const present = ids.map(id => id.trim()).filter(id => id !== '');
  refuse(countProblem(present, LIMITS.maxCount));
  if (present.length === 0) throw invalidField(FIELD, 'must name at least one memory');
  return present.map(id => parseMemoryId(id, FIELD));
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw invalidField(FIELD, problem);
}
