/** Adds entities to a memory: to its metadata, and as tags by which recall finds the memory. */
import { type Entity, entitiesOf, entityTag, isEntityNames, namesByKind, ownTags, slugOf } from '../domain/entity.js';
import type { Metadata } from '../domain/json.js';
import type { Memory } from '../domain/memory.js';
import { tagKey, tagPrefixes } from '../domain/tags.js';
import { recognizeEntities } from './entities/recognize.js';

/**
 * Finds names in the text and adds them to the names that the memory already has, because a caller may have given some
 * names.
 */
export function entitiesNamedIn(memory: Memory): Entity[] {
  return union(namesGiven(memory), recognizeEntities(memory.content));
}

/** A new memory with its entities. */
export function named(memory: Memory): Memory {
  return withEntities(memory, entitiesNamedIn(memory));
}

/**
 * The memory after a change of its content. Names from the new content replace the names from the former content. Other
 * names are kept.
 */
export function renamed(memory: Memory, formerContent: string): Memory {
  const former = new Set(recognizeEntities(formerContent).map(entityTag));
  const given = namesGiven(memory).filter(entity => !former.has(entityTag(entity)));
  return withEntities(memory, union(given, recognizeEntities(memory.content)));
}

/** The memory after a caller changed the names in its metadata. Tags derived from the former names are removed. */
export function renamedByCaller(memory: Memory, former: Memory): Memory {
  const made = new Set(namesGiven(former).map(entityTag));
  const tags = memory.tags.filter(tag => !made.has(tagKey(tag)));
  return withEntities({ ...memory, tags }, namesGiven(memory));
}

/** The names in the metadata, if they have the form that Engraph writes. */
function namesGiven({ metadata }: Memory): Entity[] {
  return isEntityNames(metadata.entities) ? entitiesOf(metadata.entities) : [];
}

/** Returns each entity once. If an entity is in both lists, the spelling of the second list is used. */
function union(some: readonly Entity[], others: readonly Entity[]): Entity[] {
  const byTag = new Map([...some, ...others].map(entity => [entityTag(entity), entity]));
  return [...byTag.values()].filter(({ name }) => slugOf(name) !== '');
}

/** Replaces the memory's entities with the given entities. */
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

/** Sets `metadata.entities`, unless a caller gave it a value in another form. Such a value stays unchanged. */
function withNames(metadata: Metadata, entities: readonly Entity[]): Metadata {
  const { entities: before, ...others } = metadata;
  if (before !== undefined && !isEntityNames(before)) return metadata;
  return entities.length > 0 ? { ...others, entities: namesByKind(entities) } : others;
}
