/** The traits of a memory, encoded as numbers, so that the traits of a hundred thousand memories fit in memory. */
import { entitiesOf, entitySlug, isEntityNames, isEntityTag, ownTags, slugOf } from '../../domain/entity.js';
import type { Memory } from '../../domain/memory.js';
import { tagKey } from '../../domain/tags.js';
import { stem } from '../../domain/text/words.js';
import { comparedTerms } from '../../replacement/wording.js';

/** Maximum number of terms of a memory. Only the first terms of a longer text are used. */
const TERMS_MAX = 60;

export type TraitKind = 'entity' | 'tag' | 'term';

export interface NamedTrait {
  kind: TraitKind;
  /** The slug of an entity, the key of a tag, or the stem of a word. */
  name: string;
}

/** Returns the distinct traits: entities, tags given by callers, and the stems of the meaningful words. */
export function namedTraits(memory: Pick<Memory, 'content' | 'tags' | 'metadata'>): NamedTrait[] {
  const tags = ownTags(memory).map(tagKey);
  const slugs = entitySlugs(memory);
  const terms = comparedTerms(memory.content);
  // A name that occurs in the text already counts through its words, so the name itself must not count too.
  const unwritten = [...slugs].filter(slug => !slug.split('-').every(word => terms.has(stem(word))));
  const of = (kind: TraitKind, names: Iterable<string>) => Array.from(names, (name): NamedTrait => ({ kind, name }));
  return [
    ...of('entity', unwritten),
    ...of('tag', new Set(tags.filter(tag => !isEntityTag(tag)))),
    ...of('term', [...terms].slice(0, TERMS_MAX)),
  ];
}

/** Returns the slugs of the entities that enrichment found, and of the entities in tags. */
export function entitySlugs(memory: Pick<Memory, 'tags' | 'metadata'>): Set<string> {
  const { entities } = memory.metadata;
  return new Set([
    ...(isEntityNames(entities) ? entitiesOf(entities).map(({ name }) => slugOf(name)) : []),
    ...memory.tags.flatMap(tag => entitySlug(tagKey(tag)) ?? []),
  ]);
}

/** Returns the distinct traits in ascending order. Collisions of two traits are rare enough to be ignored. */
export function traitsOf(memory: Pick<Memory, 'content' | 'tags' | 'metadata'>): Uint32Array {
  return Uint32Array.from(new Set(namedTraits(memory).map(traitNumber))).sort();
}

/** Keeps 31 bits of a hash. The remaining bit of the number encodes the kind. */
const HASH_BITS = 0x7fff_ffff;

/** Returns an FNV-1a hash. Stems of words get even numbers, and all other traits get odd numbers. */
export function traitNumber({ kind, name }: NamedTrait): number {
  const text = `${kind}:${name}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash & HASH_BITS) * 2 + (kind === 'term' ? 0 : 1);
}

/** Whether the trait is a tag or the name of an entity, and not a word of the text. */
export function isGiven(trait: number): boolean {
  return trait % 2 === 1;
}
