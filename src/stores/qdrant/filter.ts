/**
 * Translates the conditions of a vector search into Qdrant filter objects. Values need no escaping, because Qdrant
 * filters are objects and not text.
 */
import type { Schemas } from '@qdrant/js-client-rest';
import { type Condition, conditionsOf, isSetCondition, UNBOUNDED_MS } from '../../domain/filter.js';
import type { VectorSearch } from '../vector-store.js';
import { MODEL_KEY, NUMBER_KEYS, SET_KEYS } from './points.js';

type Conditions = Pick<VectorSearch, 'filter' | 'models'>;

/**
 * Matches the points of this store by the field `valid_to`, which all of them have. Points that another program keeps
 * in the collection must not count as vectors without a memory.
 */
export const OWN_POINTS: Schemas['Filter'] = { must_not: [{ is_empty: { key: NUMBER_KEYS.validUntilMs } }] };

/** Whether the conditions exclude every record. A Qdrant filter cannot express this, so the caller skips the search. */
export function passesNothing({ filter, models }: Conditions): boolean {
  const isEmpty = (condition: Condition) =>
    isSetCondition(condition) && condition.needs === 'any' && condition.values.length === 0;
  return models.length === 0 || conditionsOf(filter).some(isEmpty);
}

export function filterOf({ filter, models }: Conditions): Schemas['Filter'] {
  const must: Schemas['FieldCondition'][] = [anyOf(MODEL_KEY, models)];
  const mustNot: Schemas['FieldCondition'][] = [];
  for (const condition of conditionsOf(filter)) {
    if (!isSetCondition(condition)) {
      const { field, least, most } = condition;
      const range = { ...(least > -UNBOUNDED_MS && { gte: least }), ...(most < UNBOUNDED_MS && { lte: most }) };
      must.push({ key: NUMBER_KEYS[field], range });
      continue;
    }
    const { field, needs, values } = condition;
    const key = SET_KEYS[field];
    if (needs === 'all') must.push(...values.map(value => ({ key, match: { value } })));
    else (needs === 'any' ? must : mustNot).push(anyOf(key, values));
  }
  return { must, ...(mustNot.length > 0 && { must_not: mustNot }) };
}

function anyOf(key: string, values: readonly string[]): Schemas['FieldCondition'] {
  return { key, match: { any: [...values] } };
}
