/** People and things that memories are about, and their tags: `entity:<kind>:<slug>`. */
import { isPlainObject, type Metadata } from './json.js';
import type { Memory } from './memory.js';
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

/** Tags of these kinds name the subject of a memory. */
const SCOPE =
  /^(?:project|repo|repository|app|service|product|customer|client|user|person|people|entity[:/][^:/]+)[:/]/;

/** Keys of the tags that name the subject, by kind. */
export type Scopes = ReadonlyMap<string, ReadonlySet<string>>;

/** Leaves out tags from enrichment, because such tags also name the value of a statement. */
export function scopesOf(memory: Pick<Memory, 'tags' | 'metadata'>): Scopes {
  const scopes = new Map<string, Set<string>>();
  for (const tag of ownTags(memory).map(tagKey)) {
    const kind = SCOPE.exec(tag)?.[0];
    if (kind === undefined) continue;
    const known = scopes.get(kind);
    if (known) known.add(tag);
    else scopes.set(kind, new Set([tag]));
  }
  return scopes;
}

/** Returns the keys of the scope tags that both memories have. */
export function sharedScopes(a: Scopes, b: Scopes): string[] {
  return [...a].flatMap(([kind, tags]) => [...tags].filter(tag => b.get(kind)?.has(tag)));
}

/** Whether the memories have different tags of one kind, and no scope tag in common. */
export function haveOtherScopes(a: Scopes, b: Scopes): boolean {
  return [...a.keys()].some(kind => b.has(kind)) && sharedScopes(a, b).length === 0 && !shareName(a, b);
}

/** Whether the memories have the same subject under its short and its long name, such as `shop` and `acme/shop`. */
function shareName(a: Scopes, b: Scopes): boolean {
  return [...a].some(([kind, tags]) => {
    const names = [...(b.get(kind) ?? [])].map(tag => tag.slice(kind.length));
    return [...tags].some(tag => {
      const name = tag.slice(kind.length);
      return names.some(other => name.endsWith(`:${other}`) || other.endsWith(`:${name}`));
    });
  });
}
