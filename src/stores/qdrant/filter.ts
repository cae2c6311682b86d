/** A vector search's conditions as Qdrant filter objects. Values stay values: there is no query text to escape. */
import type { Schemas } from '@qdrant/js-client-rest';
import type { VectorSearch } from '../vector-store.js';

type Conditions = Pick<VectorSearch, 'filter' | 'models'>;

/**
 * What this store has written: every such point has this field. Points that another program keeps in the collection must not
 * be taken for vectors whose memory is gone.
 */
export const OWN_POINTS: Schemas['Filter'] = { must_not: [{ is_empty: { key: 'valid_to' } }] };

/** Whether no record can pass, which Qdrant has no condition for. */
export function passesNothing({ filter: { tags }, models }: Conditions): boolean {
  return models.length === 0 || (tags?.mode === 'any' && tags.keys.length === 0);
}

export function filterOf({ filter, models }: Conditions): Schemas['Filter'] {
  const { tags, excludedTagKeys = [], fromMs, toMs, validAtMs } = filter;
  const must: Schemas['FieldCondition'][] = [anyOf('model', models)];
  if (tags) {
    const field = tags.match === 'exact' ? 'keys' : 'prefixes';
    if (tags.mode === 'any') must.push(anyOf(field, tags.keys));
    else must.push(...tags.keys.map(value => ({ key: field, match: { value } })));
  }
  if (fromMs !== undefined || toMs !== undefined) {
    must.push({
      key: 'timestamp',
      range: { ...(fromMs !== undefined && { gte: fromMs }), ...(toMs !== undefined && { lte: toMs }) },
    });
  }
  if (validAtMs !== undefined) {
    must.push({ key: 'valid_from', range: { lte: validAtMs } }, { key: 'valid_to', range: { gt: validAtMs } });
  }
  return { must, ...(excludedTagKeys.length > 0 && { must_not: [anyOf('prefixes', excludedTagKeys)] }) };
}

function anyOf(key: string, values: readonly string[]): Schemas['FieldCondition'] {
  return { key, match: { any: [...values] } };
}
