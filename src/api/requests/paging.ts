/** Parameters of listings by tag, and of listings along relations. */
import { z } from 'zod';
import { TAG_PAGE_MAX, type TagPage } from '../../domain/recall-query.js';
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES, type RelatedQuery } from '../../domain/relation.js';
import { count, flag, list, words } from '../fields.js';
import { optional } from '../input.js';

const TAG_PAGE_DEFAULT = 20;
const DEPTH_MAX = 3;
const RELATED_DEFAULT = 5;
const RELATED_MAX = 200;

const tags = list
  .refine(given => given.length > 0, 'is required: name at least one tag')
  .describe('Exact tags; a memory must have at least one of them');

export const tagSelection = z.object({ tags });

export const tagPage = z.object({
  tags,
  limit: optional(count({ max: TAG_PAGE_MAX })).describe(
    `Maximum number of memories per page, ${TAG_PAGE_DEFAULT} by default`,
  ),
  offset: optional(count({ min: 0, max: Number.MAX_SAFE_INTEGER })).describe('Number of memories to skip'),
  include_total: optional(flag).describe('Whether the answer contains the total number of memories on all pages'),
});

export type TagPageParameters = z.output<typeof tagPage>;

export function toTagPage({ tags, limit = TAG_PAGE_DEFAULT, offset = 0, include_total }: TagPageParameters): TagPage {
  return { tags, limit, offset, ...(include_total && { counts: true }) };
}

export const relatedParameters = z.object({
  relationship_types: optional(words).describe(
    'Types of relations to follow. Unknown names are ignored. If no known name is given, all types that callers can create are followed',
  ),
  max_depth: optional(count({ max: DEPTH_MAX })).describe(
    'Maximum number of steps from the memory, 1 to 3; 1 by default',
  ),
  limit: optional(count({ max: RELATED_MAX })).describe(`Maximum number of memories, ${RELATED_DEFAULT} by default`),
});

export type RelatedParameters = z.output<typeof relatedParameters>;

export function toRelatedQuery(id: string, given: RelatedParameters): RelatedQuery {
  const { relationship_types = [], max_depth: maxDepth = 1, limit = RELATED_DEFAULT } = given;
  const asked = new Set(relationship_types.map(name => name.toUpperCase()));
  const types = RELATION_TYPES.filter(type => asked.has(type));
  return { id, types: types.length > 0 ? types : [...AUTHORABLE_RELATION_TYPES].sort(), maxDepth, limit };
}
