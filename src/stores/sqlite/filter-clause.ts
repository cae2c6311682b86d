/** Translates conditions for the embedded graph: into SQL, and into expressions of the full-text index. */
import {
  type Condition,
  isSetCondition,
  type NumberField,
  type SetCondition,
  type SetField,
  setToken,
  UNBOUNDED_MS,
} from '../../domain/filter.js';
import { placeholders, type SqlValue } from '../database/connection.js';

export interface Clause {
  /** Conditions on a row of `memories`, joined by AND; `TRUE` if there are no conditions. */
  text: string;
  values: SqlValue[];
}

/** SQL expressions for the number fields. The indexes for `createdMs` and `validUntilMs` use the same expressions. */
export const NUMBER_COLUMNS: Record<NumberField, string> = {
  createdMs: 'memories.timestamp_ms',
  validFromMs: `ifnull(valid_from_ms, -${UNBOUNDED_MS})`,
  validUntilMs: `iif(archived, -${UNBOUNDED_MS}, ifnull(valid_to_ms, ${UNBOUNDED_MS}))`,
};

/** The additional condition that selects those rows of `memory_tags` that are values of the field. */
export const SET_ROWS: Record<SetField, string> = { tag: 'is_whole = 1', tagPrefix: 'TRUE' };

/** Translates all conditions into one clause. */
export function filterClause(conditions: readonly Condition[]): Clause {
  const clauses = conditions.map(clauseOf);
  return {
    text: clauses.map(({ text }) => text).join(' AND ') || 'TRUE',
    values: clauses.flatMap(({ values }) => values),
  };
}

function clauseOf(condition: Condition): Clause {
  if (!isSetCondition(condition)) {
    const { field, least, most } = condition;
    const bounds = [
      { sign: '>=', bound: least },
      { sign: '<=', bound: most },
    ].filter(({ bound }) => Math.abs(bound) < UNBOUNDED_MS);
    return {
      text: bounds.map(({ sign }) => `${NUMBER_COLUMNS[field]} ${sign} ?`).join(' AND ') || 'TRUE',
      values: bounds.map(({ bound }) => bound),
    };
  }
  const { field, needs, values } = condition;
  const groups = needs === 'all' ? values.map(value => [value]) : [values];
  const text = groups.map(group => `${needs === 'none' ? 'NOT ' : ''}${anyOf(field, group)}`).join(' AND ');
  return { text: text || 'TRUE', values: [...values] };
}

/** Looks up each value by primary key. The time is part of that key, so each lookup also compares the time. */
function anyOf(field: SetField, values: readonly string[]): string {
  return `EXISTS (
    SELECT 1 FROM memory_tags AS tag WHERE tag.key IN (${placeholders(values)})
    AND tag.timestamp_ms = memories.timestamp_ms AND tag.memory = memories.row AND ${SET_ROWS[field]}
  )`;
}

/** Returns the words that represent the values of a condition in the full-text index. */
export function tokensOf({ field, values }: SetCondition): string[] {
  return values.map(value => setToken(field, value));
}

/**
 * Returns a full-text query for one term, limited to memories that meet the conditions. It does not nest the conditions,
 * because FTS5 reads fewer than a hundred levels.
 */
export function termExpression(term: string, conditions: readonly SetCondition[]): string {
  const parts = conditions.map(condition => {
    const tokens = tokensOf(condition).map(quoted);
    const keys = `(keys : (${tokens.join(condition.needs === 'all' ? ' AND ' : ' OR ')}))`;
    return `${condition.needs === 'none' ? 'NOT' : 'AND'} ${keys}`;
  });
  return [`({content tags} : ${quoted(term)})`, ...parts].join(' ');
}

function quoted(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}
