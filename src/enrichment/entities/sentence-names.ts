/** Finds names in a sentence: known names, names with a typical form, and names that the words beside them reveal. */
import type { EntityKind } from '../../domain/entity.js';
import { isAfterPerson, isBeforePerson } from './cues/people.js';
import { isAfterWordlikeTool, isBeforeEmployer } from './cues/things.js';
import type { FoundName, NameSpan } from './found-name.js';
import { type KnownName, knownByKey, knownNameAt } from './known-names.js';
import { FIRST_NAMES } from './lists/first-names.js';
import { isOrdinaryWord } from './lists/ordinary-words.js';
import { personAt } from './people.js';
import { continuesName, isNameLike, type Reading, textAfter, textBefore } from './reading.js';
import { shapedNameAt } from './shaped-names.js';
import type { Sentence, Token } from './tokens.js';
import { unknownNameAt } from './unknown-names.js';

/** Matches a licence after a name: "MIT License" does not name the university. */
const AFTER_LICENCE = /^\W{1,2}(?:see \W?)?licen[cs]e/i;

export function namesIn(prose: string, sentence: Sentence): FoundName[] {
  const { tokens } = sentence;
  const reading: Reading = { prose, sentence, tokens };
  const found: FoundName[] = [];
  for (let index = 0; index < tokens.length; ) {
    const span = nameAt(reading, index, found.at(-1));
    if (span) found.push(span.name);
    index = span?.next ?? index + 1;
  }
  return found;
}

function nameAt(reading: Reading, index: number, previous: FoundName | undefined): NameSpan | undefined {
  const shaped = shapedNameAt(reading, index);
  const known = knownSpan(reading, index);
  if (shaped && shaped.next > (known?.next ?? 0)) return shaped;
  return known ?? personAt(reading, index) ?? unknownNameAt(reading, index, previous);
}

function knownSpan(reading: Reading, index: number): NameSpan | undefined {
  const match = knownNameAt(reading.tokens, index);
  if (!match) return undefined;
  const next = index + match.length;
  const { known } = match;
  if (AFTER_LICENCE.test(textAfter(reading, next - 1))) return undefined;
  if (match.length === 1 && isPersonNamedSo(reading, index)) return personAt(reading, index);
  if (known.isWordlike && !isMeant(reading, index, next)) return undefined;
  const kind = kindOfKnown(reading, index, known);
  const first = reading.tokens[index] as Token;
  const last = reading.tokens[next - 1] as Token;
  return { name: { kind, name: known.name, at: first.at, end: last.end, isCertain: false }, next };
}

/** Whether a name that is also a word is used as a name. */
function isMeant(reading: Reading, index: number, next: number): boolean {
  const first = reading.tokens[index] as Token;
  if (reading.sentence.isUnreliable) return false;
  if (isNameLike(reading.tokens[next]) && reading.tokens[next]?.gap === ' ') return false;
  return !first.isOpening || isAfterWordlikeTool(textAfter(reading, next - 1));
}

/** The kind of a known name. A person who works "at" a product works at its maker, so the name then means the maker. */
function kindOfKnown(reading: Reading, index: number, { kind }: KnownName): EntityKind {
  return kind === 'tools' && isBeforeEmployer(textBefore(reading, index)) ? 'organizations' : kind;
}

/**
 * Whether a known name means a person here. The name must also be a given name, and a cue or a family name must show
 * that it means a person.
 */
function isPersonNamedSo(reading: Reading, index: number): boolean {
  const token = reading.tokens[index] as Token;
  if (!token.isCapitalised || token.isShouted || reading.sentence.isUnreliable || !FIRST_NAMES.has(token.key))
    return false;
  if (isBeforePerson(textBefore(reading, index)) || isAfterPerson(textAfter(reading, index))) return true;
  const following = reading.tokens[index + 1];
  if (!isNameLike(following) || !continuesName(token, following)) return false;
  return !isOrdinaryWord(following.key) && knownByKey(following.key) === undefined;
}
