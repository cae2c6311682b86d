/**
 * Recognises people and things named in a text without a language model, by lists of known names, the form of names,
 * and the words beside them. Names link memories, so doubtful names are left out.
 */

import { type Entity, type EntityKind, entityTag, slugOf } from '../../domain/entity.js';
import { READ_LENGTH } from '../../domain/memory.js';
import { isAfterPerson, isAfterWordlikeTool, isBeforeEmployer, isBeforePerson } from './cues.js';
import { explicitNames, proseOf } from './explicit-names.js';
import { type KnownName, knownByKey, knownNameAt } from './known-names.js';
import { FIRST_NAMES, isOrdinaryWord } from './lists.js';
import {
  continuesName,
  type FoundName,
  isNameLike,
  type NameSpan,
  type Sentence,
  sentencesOf,
  type Token,
  textAfter,
  textBefore,
} from './sentence.js';
import { personAt, shapedNameAt, unknownNameAt } from './unlisted-names.js';

/**
 * Returns the people and things that a text names. It is the only entry point of recognition and is fast enough for a
 * write: it is synchronous, reads no file and no store, never throws, and returns the same for the same text.
 *
 * Its time grows with the length only up to 5,000 characters: about 0.3 ms for 1,000 characters, 2 ms for 5,000
 * characters or for a megabyte, 5 ms at worst. The first call also builds the lists of names, which takes 40 to 80 ms.
 * docs/entities.md describes the names that recognition misses.
 *
 * @param text any text, even hostile text; only its first 5,000 characters are read
 * @returns at most 20 entities in the order in which they appear. Each name occurs once, has one kind, and is at most
 * 60 characters long.
 */
export function recognizeEntities(text: string): Entity[] {
  const prose = proseOf(text.slice(0, READ_LENGTH));
  const inSentences = sentencesOf(prose.text).flatMap(namesIn);
  return mergeNames([...explicitNames(prose), ...inSentences]);
}

/** Builds the lists of names, so that the first write does not wait for them. */
export function prepareRecognition(): void {
  recognizeEntities('Anna Berg uses PostgreSQL at Acme in Berlin.');
}

/** Maximum number of names. A text with more names is a list, and the names at its beginning represent it. */
const ENTITIES_MAX = 20;
const NAME_LENGTH_MAX = 60;

/** Returns each name once, in the order of appearance: at most 20 names of at most 60 characters. */
function mergeNames(found: readonly FoundName[]): Entity[] {
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

/** Matches a licence after a name: "MIT License" does not name the university. */
const AFTER_LICENCE = /^\W{1,2}(?:see \W?)?licen[cs]e/i;

function namesIn(sentence: Sentence): FoundName[] {
  const { tokens } = sentence;
  const found: FoundName[] = [];
  for (let index = 0; index < tokens.length; ) {
    const span = nameAt(sentence, index, found.at(-1));
    if (span) found.push(span.name);
    index = span?.next ?? index + 1;
  }
  return found;
}

function nameAt(sentence: Sentence, index: number, previous: FoundName | undefined): NameSpan | undefined {
  const shaped = shapedNameAt(sentence, index);
  const known = knownSpan(sentence, index);
  if (shaped && shaped.next > (known?.next ?? 0)) return shaped;
  return known ?? personAt(sentence, index) ?? unknownNameAt(sentence, index, previous);
}

function knownSpan(sentence: Sentence, index: number): NameSpan | undefined {
  const match = knownNameAt(sentence.tokens, index);
  if (!match) return undefined;
  const next = index + match.length;
  const { known } = match;
  if (AFTER_LICENCE.test(textAfter(sentence, next - 1))) return undefined;
  if (match.length === 1 && isPersonNamedSo(sentence, index)) return personAt(sentence, index);
  if (known.isWordlike && !isMeant(sentence, index, next)) return undefined;
  const kind = kindOfKnown(sentence, index, known);
  const first = sentence.tokens[index] as Token;
  const last = sentence.tokens[next - 1] as Token;
  return { name: { kind, name: known.name, at: first.at, end: last.end, isCertain: false }, next };
}

/** Whether a name that is also a word is used as a name. */
function isMeant(sentence: Sentence, index: number, next: number): boolean {
  const first = sentence.tokens[index] as Token;
  if (sentence.isUnreliable) return false;
  if (isNameLike(sentence.tokens[next]) && sentence.tokens[next]?.gap === ' ') return false;
  return !first.isOpening || isAfterWordlikeTool(textAfter(sentence, next - 1));
}

/** The kind of a known name. A person who works "at" a product works at its maker, so the name then means the maker. */
function kindOfKnown(sentence: Sentence, index: number, { kind }: KnownName): EntityKind {
  return kind === 'tools' && isBeforeEmployer(textBefore(sentence, index)) ? 'organizations' : kind;
}

/**
 * Whether a known name means a person here. The name must also be a given name, and a cue or a family name must show
 * that it means a person.
 */
function isPersonNamedSo(sentence: Sentence, index: number): boolean {
  const token = sentence.tokens[index] as Token;
  if (!token.isCapitalised || token.isShouted || sentence.isUnreliable || !FIRST_NAMES.has(token.key)) return false;
  if (isBeforePerson(textBefore(sentence, index)) || isAfterPerson(textAfter(sentence, index))) return true;
  const following = sentence.tokens[index + 1];
  if (!isNameLike(following) || !continuesName(token, following)) return false;
  return !isOrdinaryWord(following.key) && knownByKey(following.key) === undefined;
}
