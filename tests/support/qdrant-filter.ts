/** Evaluates filters on points as Qdrant does. */
import type { Condition, FieldCondition, Filter, Payload, PointId } from './qdrant-schema.js';

export interface Candidate {
  id: PointId;
  payload: Payload;
}

export function passes(candidate: Candidate, { must, should, must_not, min_should }: Filter): boolean {
  const holds = (each: Condition) => isTrueOf(candidate, each);
  const alternatives = listOf(should);
  return (
    listOf(must).every(holds) &&
    !listOf(must_not).some(holds) &&
    (alternatives.length === 0 || alternatives.some(holds)) &&
    (!min_should || min_should.conditions.filter(holds).length >= min_should.min_count)
  );
}

/** Every condition on a field, at any depth. */
export function fieldConditionsOf(filter: Filter): FieldCondition[] {
  const { must, should, must_not, min_should } = filter;
  const all = [...listOf(must), ...listOf(should), ...listOf(must_not), ...(min_should?.conditions ?? [])];
  return all.flatMap(each => {
    if ('key' in each) return [each];
    return 'has_id' in each || 'is_empty' in each || 'is_null' in each ? [] : fieldConditionsOf(each);
  });
}

function listOf(conditions: Filter['must']): Condition[] {
  if (conditions == null) return [];
  return Array.isArray(conditions) ? conditions : [conditions];
}

function isTrueOf(candidate: Candidate, condition: Condition): boolean {
  if ('key' in condition) return isTrueOfField(candidate.payload[condition.key], condition);
  if ('has_id' in condition) return condition.has_id.includes(candidate.id);
  if ('is_empty' in condition) return isEmpty(candidate.payload[condition.is_empty.key]);
  if ('is_null' in condition) return isNull(candidate.payload[condition.is_null.key]);
  return passes(candidate, condition);
}

/** An array passes when at least one of its elements passes. */
function isTrueOfField(stored: Payload[string] | undefined, condition: FieldCondition): boolean {
  const { match, range, is_empty, is_null } = condition;
  if (is_empty != null && isEmpty(stored) !== is_empty) return false;
  if (is_null != null && isNull(stored) !== is_null) return false;
  const values = Array.isArray(stored) ? stored : [stored];
  if (match && !values.some(each => matches(each, match))) return false;
  return !range || values.some(each => liesIn(each, range));
}

function matches(stored: unknown, match: NonNullable<FieldCondition['match']>): boolean {
  if (stored === undefined || stored === null) return false;
  if ('value' in match) return stored === match.value;
  const isListed = (values: readonly unknown[]) => values.includes(stored);
  return 'any' in match ? isListed(match.any) : !isListed(match.except);
}

function liesIn(stored: unknown, { lt, gt, gte, lte }: NonNullable<FieldCondition['range']>): boolean {
  if (typeof stored !== 'number') return false;
  return !(
    (lt != null && stored >= lt) ||
    (gt != null && stored <= gt) ||
    (gte != null && stored < gte) ||
    (lte != null && stored > lte)
  );
}

function isEmpty(stored: unknown): boolean {
  return stored === undefined || stored === null || (Array.isArray(stored) && stored.length === 0);
}

function isNull(stored: unknown): boolean {
  return stored === null || (Array.isArray(stored) && stored.includes(null));
}
