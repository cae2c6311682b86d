/** A vector search's conditions as zvec filter text. Tags and models appear as digests, so nothing needs escaping. */
import { tagDigest } from '../../domain/tags.js';
import type { VectorSearch } from '../vector-store.js';

/** What `contain_any` and `contain_all` take at most. */
const VALUES_PER_CONDITION = 32;

export function filterText({ filter, models }: Pick<VectorSearch, 'filter' | 'models'>): string {
  const conditions = [anyOf(models.map(model => `model = '${tagDigest(model)}'`))];
  const { tags, excludedTagKeys = [], fromMs, toMs, validAtMs } = filter;
  if (tags) {
    const field = tags.match === 'exact' ? 'keys' : 'prefixes';
    conditions.push(
      tags.mode === 'any'
        ? anyOf(contain(field, 'contain_any', tags.keys))
        : contain(field, 'contain_all', tags.keys).join(' and '),
    );
  }
  conditions.push(...contain('prefixes', 'not contain_any', excludedTagKeys));
  if (fromMs !== undefined) conditions.push(`timestamp >= ${fromMs}`);
  if (toMs !== undefined) conditions.push(`timestamp <= ${toMs}`);
  if (validAtMs !== undefined) conditions.push(`valid_from <= ${validAtMs}`, `valid_to > ${validAtMs}`);
  return conditions.join(' and ');
}

function contain(field: string, operator: string, keys: readonly string[]): string[] {
  const conditions: string[] = [];
  for (let start = 0; start < keys.length; start += VALUES_PER_CONDITION) {
    const digests = keys.slice(start, start + VALUES_PER_CONDITION).map(key => `'${tagDigest(key)}'`);
    conditions.push(`${field} ${operator} (${digests.join(', ')})`);
  }
  return conditions;
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? String(conditions[0]) : `(${conditions.join(' or ')})`;
}
