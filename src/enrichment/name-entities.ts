/** What a memory says it is about: its entities as metadata, and as tags by which it is found. */
import { type Entity, entitiesOf, entityTag, isEntityNames, namesByKind, ownTags, slugOf } from '../domain/entity.js';
import type { Metadata } from '../domain/json.js';
import type { Memory } from '../domain/memory.js';
import { tagKey, tagPrefixes } from '../domain/tags.js';
import { recognizeEntities } from './entities/recognize.js';

/** The names in the text, and those that the memory has already: a caller may have given them. */
export function entitiesNamedIn(memory: Memory): Entity[] {
  return union(namesGiven(memory), recognizeEntities(memory.content));
}

/** A new memory with its entities. */
export function named(memory: Memory): Memory {
  return withEntities(memory, entitiesNamedIn(memory));
}

/** The memory after a change of its text. Names of the former text are taken off; names of the caller stay. */
export function renamed(memory: Memory, formerContent: string): Memory {
  const former = new Set(recognizeEntities(formerContent).map(entityTag));
  const given = namesGiven(memory).filter(entity => !former.has(entityTag(entity)));
  return withEntities(memory, union(given, recognizeEntities(memory.content)));
}

/** The memory after a change of the names that its metadata give, which had those tags before. */
export function renamedByCaller(memory: Memory, former: Memory): Memory {
  const made = new Set(namesGiven(former).map(entityTag));
  const tags = memory.tags.filter(tag => !made.has(tagKey(tag)));
  return withEntities({ ...memory, tags }, namesGiven(memory));
}

/** The names in the metadata, in our shape. */
function namesGiven({ metadata }: Memory): Entity[] {
  return isEntityNames(metadata.entities) ? entitiesOf(metadata.entities) : [];
}

/** Each once, in the spelling in which it came last. */
function union(some: readonly Entity[], others: readonly Entity[]): Entity[] {
  const byTag = new Map([...some, ...others].map(entity => [entityTag(entity), entity]));
  return [...byTag.values()].filter(({ name }) => slugOf(name) !== '');
}

/** With these entities in place of those it had. */
export function withEntities(memory: Memory, entities: readonly Entity[]): Memory {
  const own = ownTags(memory);
  const present = new Set(own.map(tagKey));
  const added = [...new Set(entities.map(entityTag))].filter(tag => !present.has(tag)).sort();
  const tags = [...own, ...added];
  return {
    ...memory,
    tags,
    tag_prefixes: tagPrefixes(tags),
    metadata: withNames(memory.metadata, entities),
  };
}

/** A caller's own `entities` of another shape are the caller's. */
function withNames(metadata: Metadata, entities: readonly Entity[]): Metadata {
  const { entities: before, ...others } = metadata;
  if (before !== undefined && !isEntityNames(before)) return metadata;
  return entities.length > 0 ? { ...others, entities: namesByKind(entities) } : others;
}
