/** People and things that memories are about, and their tags: `entity:<kind>:<slug>`. */

import { isPlainObject, type Metadata } from './json.js';
import { tagKey } from './tags.js';

export const ENTITY_KINDS = ['people', 'organizations', 'tools', 'projects', 'concepts'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

export interface Entity {
  kind: EntityKind;
  /**
   * The name as written in the text. A known tool or place has one fixed spelling, so that all its mentions share a
   * tag.
   */
  name: string;
}

/** Names by kind, as in `metadata.entities`. */
export type EntityNames = Partial<Record<EntityKind, string[]>>;

const SLUG_MAX_LENGTH = 60;

/** A name in lower case without accents, with its words joined by `-`. Empty for a name without a letter or digit. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, SLUG_MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}

export function entityTag({ kind, name }: Entity): string {
  return `entity:${kind}:${slugOf(name)}`;
}

const ENTITY_TAG = /^entity[:/]/i;

export function isEntityTag(tag: string): boolean {
  return ENTITY_TAG.test(tag);
}

/** `entity:<kind>:<slug>` */
const FULL_ENTITY_TAG = /^entity[:/][^:/]+[:/](.+)$/i;

/** The slug of an entity tag or of its key. Undefined for any other tag. */
export function entitySlug(tag: string): string | undefined {
  return FULL_ENTITY_TAG.exec(tag)?.[1];
}

/** Whether a value has the shape of `metadata.entities` that enrichment writes. */
export function isEntityNames(value: unknown): value is EntityNames {
  return (
    isPlainObject(value) &&
    Object.entries(value).every(
      ([kind, names]) =>
        (ENTITY_KINDS as readonly string[]).includes(kind) &&
        Array.isArray(names) &&
        names.every(name => typeof name === 'string'),
    )
  );
}

export function entitiesOf(names: EntityNames): Entity[] {
  return ENTITY_KINDS.flatMap(kind => (names[kind] ?? []).map(name => ({ kind, name })));
}

interface TaggedMemory {
  tags: readonly string[];
  metadata: Metadata;
}

/** The tags of a memory except those derived from its entities. */
export function ownTags(memory: TaggedMemory): string[] {
  const made = madeKeys(memory);
  return memory.tags.filter(tag => !made.has(tagKey(tag)));
}

/**
 * Returns the new tags of a memory, plus those of its present tags that were derived from its entities
 * (docs/decisions.md, "Tags and commas").
 */
export function withMadeTags(tags: readonly string[], memory: TaggedMemory): string[] {
  const made = madeKeys(memory);
  const given = new Set(tags.map(tagKey));
  return [...tags, ...memory.tags.filter(tag => made.has(tagKey(tag)) && !given.has(tagKey(tag)))];
}

function madeKeys({ metadata }: TaggedMemory): Set<string> {
  return new Set(isEntityNames(metadata.entities) ? entitiesOf(metadata.entities).map(entityTag) : []);
}

/** Groups names by kind, in the order of the kinds. */
export function namesByKind(entities: readonly Entity[]): EntityNames {
  const names: EntityNames = {};
  for (const kind of ENTITY_KINDS) {
    const found = entities.filter(entity => entity.kind === kind).map(({ name }) => name);
    if (found.length > 0) names[kind] = found;
  }
  return names;
}
