/** A MemoryFilter as conditions on a `_MemoryIndex`, those first that its index can answer. */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Parameters } from './parameters.js';
import { excludedTokens, scopeTokens } from './tokens.js';

export interface Selection {
  /** Clauses that give each node that passes once, as `i`. */
  match: string;
  /** The same conditions on a node `i` found otherwise, for `WHERE`. */
  conditions: string;
  parameters: Parameters;
}

/** @param extra further conditions on `i` that the index can answer */
export function selectionOf(filter: MemoryFilter, extra: readonly string[] = []): Selection {
  const { tags } = filter;
  const scope = scopeTokens(filter);
  const excluded = excludedTokens(filter);
  const { ranges, parameters } = rangesOf(filter);
  const exclusion = excluded.length > 0 ? ['none(token IN $excluded WHERE token IN i.tag_tokens)'] : [];
  const isAny = tags !== undefined && !(tags.mode === 'all' && scope.length > 0);
  const all = isAny ? [] : scope.map((_, position) => `$tag_${position} IN i.tag_tokens`);
  // Without any condition the index would not be used.
  const indexed = [...all, ...ranges, ...extra];
  const walk = indexed.length > 0 || isAny ? [] : ['i.importance >= 0'];
  const where = [...indexed, ...walk, ...exclusion].join(' AND ');
  const anyTag = isAny ? ['any(token IN $scope WHERE token IN i.tag_tokens)'] : [];
  return {
    match: isAny
      ? `UNWIND $scope AS token MATCH (i:_MemoryIndex) WHERE ${['token IN i.tag_tokens', ...indexed, ...exclusion].join(' AND ')} WITH DISTINCT i`
      : `MATCH (i:_MemoryIndex) WHERE ${where}`,
    conditions: [...anyTag, ...all, ...ranges, ...extra, ...exclusion].join(' AND ') || 'true',
    parameters: {
      ...parameters,
      ...(isAny && { scope }),
      ...(!isAny && Object.fromEntries(scope.map((token, position) => [`tag_${position}`, token]))),
      ...(excluded.length > 0 && { excluded }),
    },
  };
}

function rangesOf({ fromMs, toMs, validAtMs }: MemoryFilter) {
  return {
    ranges: [
      ...(fromMs === undefined ? [] : ['i.timestamp_ms >= $from_ms']),
      ...(toMs === undefined ? [] : ['i.timestamp_ms <= $to_ms']),
      ...(validAtMs === undefined ? [] : ['i.holds_from_ms <= $valid_at_ms', 'i.holds_until_ms > $valid_at_ms']),
    ],
    parameters: {
      ...(fromMs !== undefined && { from_ms: fromMs }),
      ...(toMs !== undefined && { to_ms: toMs }),
      ...(validAtMs !== undefined && { valid_at_ms: validAtMs }),
    },
  };
}

/** How many nodes pass, but no more than `max`. */
export function countStatement({ match }: Selection): string {
  return `${match} WITH i LIMIT $max RETURN count(i) AS count`;
}
