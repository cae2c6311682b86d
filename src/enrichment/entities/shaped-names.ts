/** Finds organisations, places and events by a typical word in their name: "Quillon Labs", "Mount Fuji", "PyCon". */
import type { EntityKind } from '../../domain/entity.js';
import type { NameSpan } from './found-name.js';
import { FIRST_NAMES } from './lists/first-names.js';
import { isOrdinaryWord } from './lists/ordinary-words.js';
import { COMPANY_FORMS, ORGANIZATION_BEGINNINGS, ORGANIZATION_ENDINGS } from './lists/organizations.js';
import { EVENT_ENDINGS, EVENT_NAMES, PLACE_BEGINNINGS, PLACE_ENDINGS, STREET_ENDINGS } from './lists/places.js';
import { endOfRun, isNameLike, type Reading, spanOf, textBefore } from './reading.js';
import type { Token } from './tokens.js';

const WORDS_MAX = 5;
const BEFORE_PLACE = /\b(?:in|at|on|to|from|near|along|around|of|the|through|across|over|by|behind|visit\w*) $/i;

/** @returns the name whose capitalised words begin at `index` */
export function shapedNameAt(reading: Reading, index: number): NameSpan | undefined {
  const { tokens, sentence } = reading;
  const token = tokens[index];
  if (!isNameLike(token) || sentence.isUnreliable) return undefined;
  if (token.isOpening && isOrdinaryWord(token.key) && !ORGANIZATION_BEGINNINGS.has(token.key)) {
    if (!PLACE_BEGINNINGS.has(token.key)) return undefined;
  }
  const begun = nameBegunAt(reading, index);
  if (begun) return begun;
  if (EVENT_NAMES.test(token.text)) return certain(reading, { kind: 'concepts', start: index, end: index + 1 });
  const runEnd = endOfRun(reading, index, index + WORDS_MAX);
  for (let end = runEnd; end > index + 1; end -= 1) {
    const kind = kindByEnding(reading, index, end);
    if (kind) return certain(reading, { kind, start: index, end });
  }
  return undefined;
}

function kindByEnding(reading: Reading, start: number, end: number): EntityKind | undefined {
  const words = reading.tokens.slice(start, end);
  const ending = words.at(-1)?.key ?? '';
  if (COMPANY_FORMS.has(ending)) return 'organizations';
  const isNamed = words.slice(0, -1).some(({ key }) => !isOrdinaryWord(key));
  if (STREET_ENDINGS.has(ending) && !words[0]?.isOpening) return 'concepts';
  if (!isNamed) return undefined;
  if (ORGANIZATION_ENDINGS.has(ending)) return isPersonsName(reading, start, end) ? undefined : 'organizations';
  if (EVENT_ENDINGS.has(ending)) return 'concepts';
  return PLACE_ENDINGS.has(ending) && !isPersonsName(reading, start, end) ? 'concepts' : undefined;
}

/** Whether a name is that of a person: "Jessica Lane" is not a street, because "Jessica" is a given name. */
function isPersonsName(reading: Reading, start: number, end: number): boolean {
  const isFirstName = FIRST_NAMES.has(reading.tokens[start]?.key ?? '');
  return isFirstName && end === start + 2 && !BEFORE_PLACE.test(textBefore(reading, start));
}

/** The name whose first word shows its kind: "University of Ghent", "Sparkasse Ulm", "Lake Constance". */
function nameBegunAt(reading: Reading, start: number): NameSpan | undefined {
  const { tokens } = reading;
  const { key, isPossessive } = tokens[start] as Token;
  const isOrganization = ORGANIZATION_BEGINNINGS.has(key);
  if (isPossessive || !(isOrganization || PLACE_BEGINNINGS.has(key))) return undefined;
  const following = tokens[start + 1];
  const named = isOrganization && following?.text === 'of' && following.gap === ' ' ? start + 2 : start + 1;
  const first = tokens[named];
  if (!isNameLike(first) || first.gap !== ' ' || isOrdinaryWord(first.key)) return undefined;
  const kind = isOrganization ? 'organizations' : 'concepts';
  return certain(reading, { kind, start, end: endOfRun(reading, named, start + WORDS_MAX) });
}

function certain(reading: Reading, run: { kind: EntityKind; start: number; end: number }): NameSpan {
  const { name, next } = spanOf(reading, run);
  return { name: { ...name, isCertain: true }, next };
}
