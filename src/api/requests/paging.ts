/** Parameters of listings: by tag, and along the relations of one memory. */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.js';
import { TAG_PAGE_MAX, type TagPage } from '../../domain/recall-query.js';
import type { RelatedQuery } from '../../domain/related-query.js';
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES } from '../../domain/relation.js';
import { count, list } from '../fields.js';
import { parameter } from '../input.js';

const TAG_PAGE_DEFAULT = 20;
const DEPTH_MAX = 3;
const RELATED_DEFAULT = 5;
const RELATED_MAX = 200;

const tags = list.describe('Tags that are matched whole; memories with any of them are meant');

export const tagSelection = z.object({ tags });

export const tagPage = z.object({
  tags,
  limit: parameter(count({ max: TAG_PAGE_MAX })).describe(`Most memories of one page, ${TAG_PAGE_DEFAULT} by default`),
  offset: parameter(count({ min: 0, max: Number.MAX_SAFE_INTEGER })).describe('Memories to skip'),
});

export type TagPageParameters = z.output<typeof tagPage>;

/** @throws MemoryError `invalid` when no tag is given */
export function toTags({ tags: given }: z.output<typeof tagSelection>): string[] {
  if (given.length === 0) throw invalidField('tags', 'is required: name at least one tag');
  return given;
}

/** @throws MemoryError `invalid` when no tag is given */
export function toTagPage({ limit = TAG_PAGE_DEFAULT, offset = 0, ...given }: TagPageParameters): TagPage {
  return { tags: toTags(given), limit, offset };
}

export const relatedParameters = z.object({
  relationship_types: parameter(list).describe(
    'Types of the relations to follow. Unknown ones are passed over; with none left, all that callers make are followed',
  ),
  max_depth: parameter(count({ max: DEPTH_MAX })).describe('Most relations between the two memories, 1 by default'),
  limit: parameter(count({ max: RELATED_MAX })).describe(`Most memories to return, ${RELATED_DEFAULT} by default`),
});

export type RelatedParameters = z.output<typeof relatedParameters>;

export function toRelatedQuery(id: string, given: RelatedParameters): RelatedQuery {
  const { relationship_types = [], max_depth: maxDepth = 1, limit = RELATED_DEFAULT } = given;
  const asked = new Set(relationship_types.map(name => name.toUpperCase()));
  const types = RELATION_TYPES.filter(type => asked.has(type));
  return { id, types: types.length > 0 ? types : [...AUTHORABLE_RELATION_TYPES].sort(), maxDepth, limit };
}
