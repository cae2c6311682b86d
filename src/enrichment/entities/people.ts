/** Finds given names in a sentence, with the family names that follow them. */
import { isAfterPerson, isAfterWordlikePerson, isBeforePerson } from './cues.js';
import { knownByKey } from './known-names.js';
import {
  CALENDAR_WORDS,
  FIRST_NAMES,
  isOrdinaryWord,
  PLACES_NAMED_AS_PEOPLE,
  WORDLIKE_FIRST_NAMES,
  wordSet,
} from './lists.js';
import {
  continuesName,
  isNameLike,
  NAME_WORDS_MAX,
  type NameSpan,
  type Sentence,
  spanOf,
  type Token,
  textAfter,
  textBefore,
} from './sentence.js';

const PARTICLES = wordSet('van von de der den da di del della dos la le bin ibn al el ten ter zu du');
const BEFORE_PLACE_NAMED_AS_PERSON = /\b(?:in|to|from|near|around|leave|leaving) $/i;
const DETERMINER = /\b(?:the|an?|this|each|every|another|no) $/i;

/** @returns the person whose given name is at `index` */
export function personAt(sentence: Sentence, index: number): NameSpan | undefined {
  const token = sentence.tokens[index] as Token;
  if (!token.isCapitalised || token.isShouted) return undefined;
  const next = endOfPerson(sentence, index);
  if (!isPerson(sentence, index, next)) return undefined;
  const { name } = spanOf(sentence, { kind: 'people', start: index, end: next });
  return { name: { ...name, isCertain: next > index + 1 }, next };
}

function isPerson(sentence: Sentence, index: number, next: number): boolean {
  const token = sentence.tokens[index] as Token;
  const before = textBefore(sentence, index);
  if (WORDLIKE_FIRST_NAMES.has(token.key)) return isWordlikePerson(sentence, index, next);
  if (!isFirstName(token)) return false;
  if (DETERMINER.test(before)) return false;
  return !(PLACES_NAMED_AS_PEOPLE.has(token.key) && next === index + 1 && BEFORE_PLACE_NAMED_AS_PERSON.test(before));
}

function isWordlikePerson(sentence: Sentence, index: number, next: number): boolean {
  const token = sentence.tokens[index] as Token;
  if (sentence.isUnreliable) return false;
  const before = textBefore(sentence, index);
  const after = textAfter(sentence, next - 1);
  if (isBeforePerson(before) && !CALENDAR_WORDS.has(token.key)) return true;
  if (CALENDAR_WORDS.has(token.key)) return isAfterPerson(after);
  if (isAfterWordlikePerson(after)) return true;
  if (token.isOpening || DETERMINER.test(before)) return false;
  return knownByKey(token.key) === undefined;
}

function isFirstName({ key }: Token): boolean {
  if (FIRST_NAMES.has(key)) return true;
  const dash = key.indexOf('-');
  return dash > 0 && FIRST_NAMES.has(key.slice(0, dash)) && !isOrdinaryWord(key.slice(dash + 1));
}

function endOfPerson({ tokens, isUnreliable }: Sentence, start: number): number {
  let end = start + 1;
  let next = end;
  while (next - start < NAME_WORDS_MAX) {
    const token = tokens[next];
    if (token === undefined || !continuesName(tokens[next - 1] as Token, token)) break;
    next += 1;
    if (PARTICLES.has(token.text)) continue;
    if (!isFamilyName(token, isUnreliable)) break;
    end = next;
  }
  return end;
}

function isFamilyName(token: Token, isUnreliable: boolean): boolean {
  if (token.isShouted || CALENDAR_WORDS.has(token.key)) return false;
  if (/^\p{Lu}$/u.test(token.text)) return true;
  if (!isNameLike(token)) return false;
  if (token.gap.includes('&') || knownByKey(token.key) !== undefined) return false;
  return !(isUnreliable && isOrdinaryWord(token.key));
}
