/** What a memory can share with others, as numbers: those of a hundred thousand memories stay in memory together. */
import { entitiesOf, entitySlug, isEntityNames, isEntityTag, ownTags, slugOf } from '../../domain/entity.js';
import type { Memory } from '../../domain/memory.js';
import { comparedTerms } from '../../domain/similarity.js';
import { tagKey } from '../../domain/tags.js';
import { stem } from '../../domain/text.js';

/** A longer text is about what its beginning is about. */
const TERMS_MAX = 60;

export type TraitKind = 'entity' | 'tag' | 'term';

export interface NamedTrait {
  kind: TraitKind;
  /** A slug, the key of a tag, or a stem. */
  name: string;
}

/** Each once: the entities, the tags that people gave, and the stems of the words that tell something. */
export function namedTraits(memory: Pick<Memory, 'content' | 'tags' | 'metadata'>): NamedTrait[] {
  const tags = ownTags(memory).map(tagKey);
  const slugs = entitySlugs(memory);
  const terms = comparedTerms(memory.content);
  // A name that stands in the text counts by its words: twice would be too much.
  const unwritten = [...slugs].filter(slug => !slug.split('-').every(word => terms.has(stem(word))));
  const of = (kind: TraitKind, names: Iterable<string>) => Array.from(names, (name): NamedTrait => ({ kind, name }));
  return [
    ...of('entity', unwritten),
    ...of('tag', new Set(tags.filter(tag => !isEntityTag(tag)))),
    ...of('term', [...terms].slice(0, TERMS_MAX)),
  ];
}

/** Slugs of the entities that enrichment found, and of those in tags. */
export function entitySlugs(memory: Pick<Memory, 'tags' | 'metadata'>): Set<string> {
  const { entities } = memory.metadata;
  return new Set([
    ...(isEntityNames(entities) ? entitiesOf(entities).map(({ name }) => slugOf(name)) : []),
    ...memory.tags.flatMap(tag => entitySlug(tagKey(tag)) ?? []),
  ]);
}

/** In ascending order. Two traits of one number are rare enough to be taken for one. */
export function traitsOf(memory: Pick<Memory, 'content' | 'tags' | 'metadata'>): Uint32Array {
  return Uint32Array.from(new Set(namedTraits(memory).map(traitNumber))).sort();
}

/** Beside it the kind is told by the number. */
const HASH_BITS = 0x7fff_ffff;

/** FNV-1a; even for the stems of words. */
export function traitNumber({ kind, name }: NamedTrait): number {
  const text = `${kind}:${name}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash & HASH_BITS) * 2 + (kind === 'term' ? 0 : 1);
}

/** Whether it was given, as a tag or the name of a thing, and is not just a word of the text. */
export function isGiven(trait: number): boolean {
  return trait % 2 === 1;
}
