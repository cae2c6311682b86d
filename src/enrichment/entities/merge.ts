/** Merges the found names into the list of entities of a text. */
import { type Entity, entityTag, slugOf } from '../../domain/entity.js';
import type { FoundName } from './found-name.js';

/** Maximum number of names. A text with more names is a list, and the names at its beginning represent it. */
const ENTITIES_MAX = 20;
const NAME_LENGTH_MAX = 60;

/** Returns each name once, in the order of appearance: at most 20 names of at most 60 characters. */
export function mergeNames(found: readonly FoundName[]): Entity[] {
  const inOrder = [...found].sort((a, b) => a.at - b.at || b.end - a.end);
  const kinds = kindsBySlug(inOrder);
  const fullNames = fullNamesOf(inOrder);
  const entities = new Map<string, Entity>();
  let coveredUntil = -1;
  for (const name of inOrder) {
    const slug = slugOf(name.name);
    if (slug === '' || name.name.length > NAME_LENGTH_MAX || kinds.get(slug) !== name.kind) continue;
    // Leave out a part of a longer name, for example of a quoted title.
    if (name.end <= coveredUntil) continue;
    coveredUntil = name.end;
    const entity = { kind: name.kind, name: (name.kind === 'people' && fullNames.get(slug)) || name.name };
    const tag = entityTag(entity);
    if (!entities.has(tag)) entities.set(tag, entity);
  }
  return [...entities.values()].slice(0, ENTITIES_MAX);
}

/** Gives each name one kind: the kind of its first explicit mention, or else the kind of its first mention. */
function kindsBySlug(found: readonly FoundName[]): Map<string, FoundName['kind']> {
  const kinds = new Map<string, FoundName['kind']>();
  for (const certain of [true, false]) {
    for (const { kind, name, isCertain } of found) {
      const slug = slugOf(name);
      if (isCertain === certain && !kinds.has(slug)) kinds.set(slug, kind);
    }
  }
  return kinds;
}

/** Maps the slug of a first or last name to the full name in the text, if exactly one full name contains it. */
function fullNamesOf(found: readonly FoundName[]): Map<string, string> {
  const people = new Map(found.filter(({ kind }) => kind === 'people').map(({ name }) => [slugOf(name), name]));
  const candidates = new Map<string, Set<string>>();
  for (const [slug, name] of people) {
    const words = name.split(/\s+/);
    if (words.length < 2) continue;
    for (const part of [words[0], words.at(-1)]) {
      const key = slugOf(part ?? '');
      candidates.set(key, (candidates.get(key) ?? new Set()).add(slug));
    }
  }
  const fullNames = new Map<string, string>();
  for (const [part, slugs] of candidates) {
    const [slug] = slugs;
    if (slugs.size === 1 && slug !== undefined) fullNames.set(part, people.get(slug) ?? '');
  }
  return fullNames;
}
