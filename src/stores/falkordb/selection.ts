/**
 * Translates a filter into Cypher conditions on a `_MemoryIndex`. A search first evaluates the conditions that the
 * server's index supports, then the other conditions.
 */
import { type Condition, conditionsOf, isSetCondition, type MemoryFilter, UNBOUNDED_MS } from '../../domain/filter.js';
import { NUMBER_PROPERTIES, valueToken } from './index-node.js';
import type { Parameters } from './values.js';

export interface Selection {
  /** Clauses that return each matching node once, as `i`. */
  match: string;
  /** The conditions of `match` in a form for `WHERE`, for a node `i` that other clauses have found. */
  conditions: string;
  /** Those of `conditions` that WHERE must check, because the full-text index cannot. */
  besideText: string;
  parameters: Parameters;
}

/** One condition in Cypher. */
interface Clause {
  text: string;
  /** Whether the index evaluates the condition. */
  isIndexed: boolean;
  /** Whether a query of the full-text index evaluates the condition. */
  isInText: boolean;
  /** Name of the parameter that holds the tokens of an `any` condition. Each token can be looked up separately. */
  anyOf?: string;
  parameters: Parameters;
}

/** @param extra further conditions on `i` that the index can evaluate */
export function selectionOf(filter: MemoryFilter, extra: readonly string[] = []): Selection {
  const clauses = conditionsOf(filter).flatMap(clausesOf);
  const lookedUp = clauses.find(({ anyOf }) => anyOf !== undefined);
  const others = clauses.filter(clause => clause !== lookedUp);
  const indexed = [...others.filter(({ isIndexed }) => isIndexed).map(({ text }) => text), ...extra];
  const checked = others.filter(({ isIndexed }) => !isIndexed).map(({ text }) => text);
  // Without any condition the server would not use the index.
  const walk = indexed.length > 0 || lookedUp ? [] : ['i.importance_rank >= 0'];
  const lookup = lookedUp ? ['token IN i.tag_tokens'] : [];
  const where = [...lookup, ...indexed, ...walk, ...checked].join(' AND ');
  return {
    match: lookedUp
      ? `UNWIND $${lookedUp.anyOf} AS token MATCH (i:_MemoryIndex) WHERE ${where} WITH DISTINCT i`
      : `MATCH (i:_MemoryIndex) WHERE ${where}`,
    conditions: all([...clauses.map(({ text }) => text), ...extra]),
    besideText: all([...clauses.flatMap(({ text, isInText }) => (isInText ? [] : [text])), ...extra]),
    parameters: Object.assign({}, ...clauses.map(({ parameters }) => parameters)) as Parameters,
  };
}

function all(conditions: readonly string[]): string {
  return conditions.join(' AND ') || 'true';
}

/** @param position makes the names of the parameters unique */
function clausesOf(condition: Condition, position: number): Clause[] {
  const name = (index: number | string) => `p${position}_${index}`;
  if (!isSetCondition(condition)) {
    const property = `i.${NUMBER_PROPERTIES[condition.field]}`;
    return [
      { sign: '>=', bound: condition.least, end: 'least' },
      { sign: '<=', bound: condition.most, end: 'most' },
    ]
      .filter(({ bound }) => Math.abs(bound) < UNBOUNDED_MS)
      .map(({ sign, bound, end }) => ({
        text: `${property} ${sign} $${name(end)}`,
        isIndexed: true,
        isInText: false,
        parameters: { [name(end)]: bound },
      }));
  }
  const { field, needs, values } = condition;
  const tokens = values.map(value => valueToken(field, value));
  if (needs === 'all' || (needs === 'any' && tokens.length === 1)) {
    return tokens.map((token, index) => ({
      text: `$${name(index)} IN i.tag_tokens`,
      isIndexed: true,
      isInText: true,
      parameters: { [name(index)]: token },
    }));
  }
  const of = name('tokens');
  return [
    {
      text: `${needs === 'none' ? 'none' : 'any'}(token IN $${of} WHERE token IN i.tag_tokens)`,
      isIndexed: false,
      // A query of the full-text index cannot express an empty set.
      isInText: tokens.length > 0,
      ...(needs === 'any' && { anyOf: of }),
      parameters: { [of]: tokens },
    },
  ];
}

/** Returns a statement that counts the matching nodes, up to `$max`. */
export function countStatement({ match }: Selection): string {
  return `${match} WITH i LIMIT $max RETURN count(i) AS count`;
}
