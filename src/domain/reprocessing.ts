/** Reading of a request to enrich memories again. */
import { invalidField } from './errors.js';
import { isPlainObject } from './json.js';
import { parseMemoryId } from './memory-input.js';
import type { RawParameters } from './raw-parameters.js';

const FIELD = 'ids';

/**
 * Reads the ids, an array or a text with commas, from the body or else from the query string.
 *
 * @throws MemoryError `invalid` with the field `ids` when there are none or one is no UUID
 */
export function parseReprocessing(body: unknown, query: RawParameters): string[] {
  const given = isPlainObject(body) ? (body.ids ?? query.ids) : query.ids;
  const items = typeof given === 'string' ? [given] : given;
  if (items !== undefined && !(Array.isArray(items) && items.every(item => typeof item === 'string'))) {
    throw invalidField(FIELD, 'must be an array of memory ids');
  }
  const ids = (items ?? []).flatMap(item => item.split(',')).map(item => item.trim());
  const present = ids.filter(id => id !== '');
  if (present.length === 0) throw invalidField(FIELD, 'must name at least one memory');
  return present.map(id => parseMemoryId(id, FIELD));
}
