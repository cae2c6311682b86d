/**
 * Names that no list contains. A typical word in a name shows its kind: "Quillon Labs", "Mount Fuji", "PyCon". The kind of
 * other capitalised words comes from the words beside them. If these give no kind, the capitalised words do not count
 * as a name.
 */

import type { EntityKind } from '../../domain/entity.js';
import * as cues from './cues.js';
import { isAfterPerson, isAfterWordlikePerson, isBeforePerson } from './cues.js';
import { knownByKey } from './known-names.js';
import {
  CALENDAR_WORDS,
  COMPANY_FORMS,
  EVENT_ENDINGS,
  FIRST_NAMES,
  isOrdinaryWord,
  ORGANIZATION_BEGINNINGS,
  ORGANIZATION_ENDINGS,
  PLACE_BEGINNINGS,
  PLACE_ENDINGS,
  PLACES_NAMED_AS_PEOPLE,
  STREET_ENDINGS,
  TITLES,
  WORDLIKE_FIRST_NAMES,
  wordSet,
} from './lists.js';
import {
  continuesName,
  endOfRun,
  type FoundName,
  isNameLike,
  NAME_WORDS_MAX,
  type NameSpan,
  type Sentence,
  spanOf,
  type Token,
  textAfter,
  textBefore,
} from './sentence.js';

const WORDS_MAX = 3;
/** The text between two alternatives of a choice ("X over Y") must be shorter than this number of characters. */
const CHOICE_DISTANCE = 12;
/** Matches the text between the names of a list. */
const LISTED = /^(?:,| and| &| or|, and|, or) $/;
/** Matches "Oksana", "O'Brien", "McKay", "Jean-Luc", but neither "CDNs" nor "IPv4". */
const PERSONS_WORD =
  /^(?:Mc|Mac|O['’]|D['’]|De|Di|Du|La|Le|Van|Von|Fitz)?\p{Lu}[\p{Ll}\p{M}'’]+(?:-\p{L}[\p{Ll}\p{M}'’]+)*$/u;

/** @param previous the name that was found before this name in the same sentence */
export function unknownNameAt(
  sentence: Sentence,
  index: number,
  previous: FoundName | undefined,
): NameSpan | undefined {
  const token = sentence.tokens[index];
  if (!isNameLike(token) || sentence.isUnreliable || TITLES.has(token.key)) return undefined;
  if (token.isOpening && isOrdinaryWord(token.key)) return undefined;
  if (isProject(sentence, index)) return spanOf(sentence, { kind: 'projects', start: index, end: index + 1 });
  const run = { start: index, end: endOfUnknown(sentence, index) };
  const words = sentence.tokens.slice(run.start, run.end);
  if (words.every(({ key }) => isOrdinaryWord(key))) return undefined;
  const kind = kindByCues(sentence, words, run) ?? kindOfList(sentence, index, previous);
  return kind && spanOf(sentence, { kind, ...run });
}

function isProject(sentence: Sentence, index: number): boolean {
  const { key, isShouted } = sentence.tokens[index] as Token;
  return !isShouted && !isOrdinaryWord(key) && cues.isProject(textBefore(sentence, index), textAfter(sentence, index));
}

function endOfUnknown(sentence: Sentence, start: number): number {
  const runEnd = endOfRun(sentence, start, start + WORDS_MAX);
  let end = start + 1;
  while (end < runEnd && knownByKey(sentence.tokens[end]?.key ?? '') === undefined) end += 1;
  return end;
}

function kindByCues(
  sentence: Sentence,
  words: readonly Token[],
  { start, end }: { start: number; end: number },
): EntityKind | undefined {
  const before = textBefore(sentence, start);
  const after = textAfter(sentence, end - 1);
  if (cues.isBeforeOrganization(before)) return 'organizations';
  if (words.some(({ isShouted }) => isShouted)) return undefined;
  if (isPerson(words, before, after)) return 'people';
  if (cues.isBeforePlace(before)) return 'concepts';
  return cues.isBeforeTool(before) || cues.isChoice(before, after) ? 'tools' : undefined;
}

function isPerson(words: readonly Token[], before: string, after: string): boolean {
  const [first] = words as readonly [Token, ...Token[]];
  if (!words.every(({ text }) => PERSONS_WORD.test(text))) return false;
  if (cues.isBeforePerson(before) || cues.isAddressed(before, after)) return true;
  if (isOrdinaryWord(first.key)) return false;
  if (words.at(-1)?.isPossessive) return cues.isOwnedByPerson(after);
  if (words.length > 1) {
    const isFullName = words.every(({ key }) => !isOrdinaryWord(key));
    return isFullName && cues.isAfterFullName(after);
  }
  if (!first.isOpening) return cues.isAfterPerson(after);
  // Skip words that end in s, because plural nouns begin sentences more often than names that end in s.
  return !first.key.endsWith('s') && cues.isAfterUnknownPerson(after);
}

/**
 * Returns the kind of the previous name if both names are in the same list or choice: "Pablo, Ingrid and Wei", "Qdrant
 * over Weaviate".
 */
function kindOfList(sentence: Sentence, start: number, previous: FoundName | undefined): EntityKind | undefined {
  const token = sentence.tokens[start] as Token;
  if (!previous || token.isShouted) return undefined;
  const between = sentence.prose.slice(previous.end, token.at);
  if (previous.kind === 'people') return LISTED.test(between) && PERSONS_WORD.test(token.text) ? 'people' : undefined;
  if (previous.kind !== 'tools') return undefined;
  const isChoice = between.length < CHOICE_DISTANCE && cues.isBeforeOtherChoice(textBefore(sentence, start));
  return LISTED.test(between) || isChoice ? 'tools' : undefined;
}

/** Matches "PyCon" and "JSConf". */
const EVENT_NAMES = /^\p{Lu}[\p{L}]{1,12}(?:Con|Conf|Camp|Fest)$/u;
const BEFORE_PLACE = /\b(?:in|at|on|to|from|near|along|around|of|the|through|across|over|by|behind|visit\w*) $/i;

/** @returns the name whose capitalised words begin at `index` */
export function shapedNameAt(sentence: Sentence, index: number): NameSpan | undefined {
  const { tokens, isUnreliable } = sentence;
  const token = tokens[index];
  if (!isNameLike(token) || isUnreliable) return undefined;
  if (token.isOpening && isOrdinaryWord(token.key) && !ORGANIZATION_BEGINNINGS.has(token.key)) {
    if (!PLACE_BEGINNINGS.has(token.key)) return undefined;
  }
  const begun = nameBegunAt(sentence, index);
  if (begun) return begun;
  if (EVENT_NAMES.test(token.text)) return certain(sentence, { kind: 'concepts', start: index, end: index + 1 });
  const runEnd = endOfRun(sentence, index, index + NAME_WORDS_MAX);
  for (let end = runEnd; end > index + 1; end -= 1) {
    const kind = kindByEnding(sentence, index, end);
    if (kind) return certain(sentence, { kind, start: index, end });
  }
  return undefined;
}

function kindByEnding(sentence: Sentence, start: number, end: number): EntityKind | undefined {
  const words = sentence.tokens.slice(start, end);
  const ending = words.at(-1)?.key ?? '';
  if (COMPANY_FORMS.has(ending)) return 'organizations';
  const isNamed = words.slice(0, -1).some(({ key }) => !isOrdinaryWord(key));
  if (STREET_ENDINGS.has(ending) && !words[0]?.isOpening) return 'concepts';
  if (!isNamed) return undefined;
  if (ORGANIZATION_ENDINGS.has(ending)) return isPersonsName(sentence, start, end) ? undefined : 'organizations';
  if (EVENT_ENDINGS.has(ending)) return 'concepts';
  return PLACE_ENDINGS.has(ending) && !isPersonsName(sentence, start, end) ? 'concepts' : undefined;
}

/** Whether a name is that of a person: "Jessica Lane" is not a street, because "Jessica" is a given name. */
function isPersonsName(sentence: Sentence, start: number, end: number): boolean {
  const isFirstName = FIRST_NAMES.has(sentence.tokens[start]?.key ?? '');
  return isFirstName && end === start + 2 && !BEFORE_PLACE.test(textBefore(sentence, start));
}

/** The name whose first word shows its kind: "University of Ghent", "Sparkasse Ulm", "Lake Constance". */
function nameBegunAt(sentence: Sentence, start: number): NameSpan | undefined {
  const { tokens } = sentence;
  const { key, isPossessive } = tokens[start] as Token;
  const isOrganization = ORGANIZATION_BEGINNINGS.has(key);
  if (isPossessive || !(isOrganization || PLACE_BEGINNINGS.has(key))) return undefined;
  const following = tokens[start + 1];
  const named = isOrganization && following?.text === 'of' && following.gap === ' ' ? start + 2 : start + 1;
  const first = tokens[named];
  if (!isNameLike(first) || first.gap !== ' ' || isOrdinaryWord(first.key)) return undefined;
  const kind = isOrganization ? 'organizations' : 'concepts';
  return certain(sentence, { kind, start, end: endOfRun(sentence, named, start + NAME_WORDS_MAX) });
}

function certain(sentence: Sentence, run: { kind: EntityKind; start: number; end: number }): NameSpan {
  const { name, next } = spanOf(sentence, run);
  return { name: { ...name, isCertain: true }, next };
}

const PARTICLES = wordSet('van von de der den da di del della dos la le bin ibn al el ten ter zu du');
const BEFORE_PLACE_NAMED_AS_PERSON = /\b(?:in|to|from|near|around|leave|leaving) $/i;
const DETERMINER = /\b(?:the|an?|this|each|every|another|no) $/i;

/** @returns the person whose given name is at `index` */
export function personAt(sentence: Sentence, index: number): NameSpan | undefined {
  const token = sentence.tokens[index] as Token;
  if (!token.isCapitalised || token.isShouted) return undefined;
  const next = endOfPerson(sentence, index);
  if (!isPersonName(sentence, index, next)) return undefined;
  const { name } = spanOf(sentence, { kind: 'people', start: index, end: next });
  return { name: { ...name, isCertain: next > index + 1 }, next };
}

function isPersonName(sentence: Sentence, index: number, next: number): boolean {
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
