/** A MemoryFilter in the two languages of the embedded graph: SQL conditions and full-text expressions. */
import type { MemoryFilter } from '../../domain/filter.js';
import { placeholders, type SqlValue } from '../database/connection.js';
import { keyToken } from './record-indexes.js';

export interface Clause {
  /** Conditions on a row of `memories`, joined by AND; `TRUE` when there are none. */
  text: string;
  values: SqlValue[];
}

/** The whole filter as SQL. */
export function filterClause(filter: MemoryFilter): Clause {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, ...more: SqlValue[]) => {
    conditions.push(condition);
    values.push(...more);
  };
  const { tags, excludedTagKeys = [] } = filter;
  if (tags) {
    const groups = tags.mode === 'all' ? tags.keys.map(key => [key]) : [tags.keys];
    for (const keys of groups) add(tagCondition(keys, tags.match), ...keys);
  }
  if (excludedTagKeys.length > 0) add(`NOT ${tagCondition(excludedTagKeys, 'prefix')}`, ...excludedTagKeys);
  const fields = fieldClause(filter);
  if (fields.values.length > 0) add(fields.text, ...fields.values);
  return { text: conditions.join(' AND ') || 'TRUE', values };
}

/** One lookup by primary key for each tag: the time is part of that key. */
function tagCondition(keys: readonly string[], match: 'prefix' | 'exact'): string {
  return `EXISTS (
    SELECT 1 FROM memory_tags AS tag WHERE tag.key IN (${placeholders(keys)})
    AND tag.timestamp_ms = memories.timestamp_ms AND tag.memory = memories.row ${match === 'exact' ? 'AND tag.is_whole = 1' : ''}
  )`;
}

function fieldClause({ fromMs, toMs, validAtMs }: MemoryFilter): Clause {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  if (fromMs !== undefined) {
    conditions.push('timestamp_ms >= ?');
    values.push(fromMs);
  }
  if (toMs !== undefined) {
    conditions.push('timestamp_ms <= ?');
    values.push(toMs);
  }
  if (validAtMs !== undefined) {
    conditions.push('archived = 0 AND ifnull(valid_from_ms <= ?, TRUE) AND ifnull(valid_to_ms > ?, TRUE)');
    values.push(validAtMs, validAtMs);
  }
  return { text: conditions.join(' AND ') || 'TRUE', values };
}

/** The words by which the full-text index knows the filter's tags. */
export function scopeTokens({ tags }: MemoryFilter): string[] {
  return tags ? tags.keys.map(key => keyToken(key, tags.match)) : [];
}

/** A full-text query for one term, within the tags of the filter. */
export function termExpression(term: string, filter: MemoryFilter): string {
  const { tags, excludedTagKeys = [] } = filter;
  let expression = `{content tags} : ${quoted(term)}`;
  if (tags) {
    const tokens = scopeTokens(filter).map(quoted);
    expression = `(${expression}) AND (keys : (${tokens.join(tags.mode === 'all' ? ' AND ' : ' OR ')}))`;
  }
  if (excludedTagKeys.length > 0) {
    const tokens = excludedTagKeys.map(key => quoted(keyToken(key, 'prefix')));
    expression = `(${expression}) NOT (keys : (${tokens.join(' OR ')}))`;
  }
  return expression;
}

function quoted(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}
