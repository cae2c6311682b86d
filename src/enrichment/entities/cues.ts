/**
 * Words beside a name that show what it names: a person or a pet, an organisation, a place, a tool or a project. The
 * words are in `lists/cues.json`, as parts of regular expressions. A cue is matched against at most 70 characters
 * directly before a name or directly after a name. The patterns are plain alternatives, so that no text makes the
 * matching slow.
 */
import CUES from './lists/cues.json' with { type: 'json' };

const ROLE = oneOf(CUES.role);

const COMPANY_KEPT = oneOf(CUES.companyKept);
const ADDRESSED_TO = oneOf(CUES.addressedTo);
const DONE_TO_PEOPLE = oneOf(CUES.doneToPeople);
const MADE = oneOf(CUES.made);
const RECEIVED = oneOf(CUES.received);
const TITLE = oneOf(CUES.title);
const GREETING = oneOf(CUES.greeting);
const INTERJECTION = oneOf(CUES.interjection);
const NAMING = oneOf(CUES.naming);
const LIST_OF_PEOPLE = oneOf(CUES.listOfPeople);

const BEFORE_PERSON = [
  before(`${COMPANY_KEPT}\\b[^.;:]{0,30}\\bwith(?: both)?`),
  before(`${ADDRESSED_TO} (?:\\w+ ){0,2}to`),
  before(DONE_TO_PEOPLE),
  before(`${MADE} by`),
  before(`${RECEIVED} from`),
  before(
    `(?:my|our|his|her|their|your|the|an?|new|\\w+['’]s) (?:\\w+ )?${ROLE}(?:,| is| was|['’]?s name is| named| called)?`,
  ),
  new RegExp(`\\b${TITLE}\\.? $`),
  new RegExp(`(?:^|[.!?:*]\\s*)${GREETING},? $`, 'i'),
  before(NAMING),
  new RegExp(`(?:^|[\\n.])[\\s*-]{0,70}${LIST_OF_PEOPLE}(?: is)?: $`, 'i'),
];
/** Matches an interjection before the name of the person who is addressed: "Wow, Leo, that is great". */
const BEFORE_ADDRESSED = new RegExp(`(?:^|[.!?:*]\\s*)${INTERJECTION}, $`, 'i');
const AFTER_ADDRESSED = /^\s*(?:[,!?.]|$)/;

const ADVERB =
  '(?:(?:also|then|just|already|still|never|always|really|finally|kindly|later|usually|often|even|only) )?';
/** Activities that only people do. */
const PERSONAL = oneOf(CUES.personal);
/** Activities of people. Companies or programs sometimes do them too. */
const SPOKEN = oneOf(CUES.spoken);
/** Activities of people, companies and products. They are a cue only after a full name or a listed given name. */
const DEED = oneOf(CUES.deed);
const CONDITION = oneOf(CUES.condition);
const OWNED = oneOf(CUES.owned);

const BEHIND_PEOPLE = [
  new RegExp(
    `^,? (?:my|our|his|her|their|your|the|an?) (?:(?:new|old|former|best|late|lead|senior|head|product|older|younger) )?${ROLE}\\b`,
  ),
  behind(`(?:is|was) ${CONDITION}`),
  behind(`(?:is|was) (?:the|an?) (?:\\w+ ){0,2}${ROLE}`),
  behind('and (?:I|my)'),
];
const AFTER_PERSON = [behind(`${ADVERB}(?:${PERSONAL}|${SPOKEN})`), ...BEHIND_PEOPLE];
const AFTER_UNKNOWN_PERSON = [behind(`${ADVERB}${PERSONAL}`), ...BEHIND_PEOPLE];
const AFTER_WORDLIKE_PERSON = [behind(`${ADVERB}${DEED}`), ...AFTER_PERSON];
const OWNED_BY_PERSON = [behind(`(?:${ROLE}|${OWNED})`)];

export function isBeforePerson(text: string): boolean {
  return isSome(BEFORE_PERSON, text);
}

export function isAddressed(textBefore: string, textAfter: string): boolean {
  return AFTER_ADDRESSED.test(textAfter) && BEFORE_ADDRESSED.test(textBefore);
}

/** Whether the text after a capitalised word within a sentence shows that the word names a person. */
export function isAfterPerson(text: string): boolean {
  return isSome(AFTER_PERSON, text);
}

/**
 * Whether the text after the first word of a sentence shows that the word names a person. The word is not in a list of
 * names, so only this text can show it.
 */
export function isAfterUnknownPerson(text: string): boolean {
  return isSome(AFTER_UNKNOWN_PERSON, text);
}

/** Whether the text after a given name that is also an ordinary word shows that the word names a person. */
export function isAfterWordlikePerson(text: string): boolean {
  return isSome(AFTER_WORDLIKE_PERSON, text);
}

/** Whether the text after a possessive shows that the possessive names a person: "Oksana's desk". */
export function isOwnedByPerson(text: string): boolean {
  return isSome(OWNED_BY_PERSON, text);
}

/**
 * Whether the text after several words shows that these words name a person. The words are not in a list of names, so
 * only this text can show it.
 */
export function isAfterFullName(text: string): boolean {
  return isAfterWordlikePerson(text) || isOwnedByPerson(text);
}

const OCCUPATION = oneOf(CUES.occupation);
const BUSINESS = oneOf(CUES.business);
const BEFORE_EMPLOYER = [
  before('(?:works?|worked|working) (?:at|for)'),
  before(`${OCCUPATION} (?:at|from)`),
  before('(?:employed|hired|fired|audit|acquired|founded) by'),
];
const BEFORE_ORGANIZATION = [
  before('(?:joined|joining|join|acquired|founded|co-founded|sued|volunteer(?:ed|ing|s)? (?:at|for))'),
  before('(?:invoices?|contract|tender|offer|quote|refund|delivery) (?:from|with|by)'),
  before(`${BUSINESS}(?: is| was|,| called| named)?`),
];

const BEING_SOMEWHERE = oneOf(CUES.beingSomewhere);
const GOING_SOMEWHERE = oneOf(CUES.goingSomewhere);
const BEFORE_PLACE = [
  before(`${BEING_SOMEWHERE}(?: \\w+)? (?:in|near|around|outside)`),
  before(`${GOING_SOMEWHERE} to`),
  before('(?:visit|visited|visiting|toured|touring)'),
  before('(?:city|town|village|island|region|state|province|district|neighbou?rhood) of'),
];

const USING = oneOf(CUES.using);
const BEFORE_TOOL = before(USING);
const CHOOSING = oneOf(CUES.choosing);
const BEFORE_CHOICE = before(CHOOSING);
const WEIGHED = /^ (?:over|vs\.?|versus|instead of|rather than) /i;
const COMPARED = /^ (?:vs\.?|versus) /i;
const BEFORE_OTHER_CHOICE = [
  /\b(?:vs\.?|versus|over) $/i,
  /\b(?:swap|replac|switch|migrat|mov|port|upgrad|convert)\w{0,70}\b[^.;]{0,70} (?:for|with|by|to|from) $/i,
];
const PART_OF_TOOL = oneOf(CUES.partOfTool);
const AFTER_WORDLIKE_TOOL = new RegExp(`^ ${PART_OF_TOOL}(?![\\p{L}\\d])|^ (?:and|or) \\p{Lu}`, 'u');

const BEFORE_PROJECT = /\b(?:the|our|my|in|of) $/i;
const PART_OF_PROJECT = oneOf(CUES.partOfProject);
const AFTER_PROJECT = new RegExp(`^ ${PART_OF_PROJECT}\\b`, 'i');

/** Whether the text before a name shows that the name is an employer, even if it is better known as a product. */
export function isBeforeEmployer(text: string): boolean {
  return isSome(BEFORE_EMPLOYER, text);
}

export function isBeforeOrganization(text: string): boolean {
  return isBeforeEmployer(text) || isSome(BEFORE_ORGANIZATION, text);
}

export function isBeforePlace(text: string): boolean {
  return isSome(BEFORE_PLACE, text);
}

export function isBeforeTool(text: string): boolean {
  return BEFORE_TOOL.test(text);
}

/** Whether the text around a name shows a choice: "Chose X over", "X vs". Alternatives in a choice count as tools. */
export function isChoice(textBefore: string, textAfter: string): boolean {
  return COMPARED.test(textAfter) || (BEFORE_CHOICE.test(textBefore) && WEIGHED.test(textAfter));
}

/** Whether the text before a name shows that the name is an alternative to an earlier tool, or its replacement. */
export function isBeforeOtherChoice(text: string): boolean {
  return isSome(BEFORE_OTHER_CHOICE, text);
}

/** Whether the text after an ordinary word that begins a sentence shows that the word is the name of a tool. */
export function isAfterWordlikeTool(text: string): boolean {
  return AFTER_WORDLIKE_TOOL.test(text);
}

export function isProject(textBefore: string, textAfter: string): boolean {
  return BEFORE_PROJECT.test(textBefore) && AFTER_PROJECT.test(textAfter);
}

/** @returns a pattern that matches one of the phrases */
function oneOf(phrases: readonly string[]): string {
  return `(?:${phrases.join('|')})`;
}

/** Returns a pattern that matches the text directly before a name, and ignores case. */
function before(pattern: string): RegExp {
  return new RegExp(`\\b${pattern} $`, 'i');
}

/** Returns a pattern for the text directly after a name. */
function behind(pattern: string): RegExp {
  return new RegExp(`^ ${pattern}\\b`);
}

function isSome(cues: readonly RegExp[], text: string): boolean {
  return cues.some(cue => cue.test(text));
}
