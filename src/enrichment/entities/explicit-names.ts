/** Finds names by their punctuation: speakers, projects, titles of works, identifiers between back-ticks. */
import { isStopWord } from '../../domain/language.js';
import type { FoundName } from './found-name.js';
import { identifiers } from './identifiers.js';
import { knownByKey } from './known-names.js';
import { FIRST_NAMES, WORDLIKE_FIRST_NAMES } from './lists/first-names.js';
import { isOrdinaryWord } from './lists/ordinary-words.js';
import { wordSet } from './lists/word-set.js';
import type { Prose } from './prose.js';
import { keyOf } from './tokens.js';

/** A line of a dialogue. It has an optional time, the speaker and the words. */
const SPEAKER =
  /^[ \t]*(?:[-*>] ?|\[[^\]\n]{1,40}\] ?|\([^)\n]{1,40}\) ?)?\**(\p{Lu}[\p{L}\p{M}'’-]{0,20}(?: \p{Lu}[\p{L}\p{M}'’-]{1,20}\.?)?)\**:\**[ \t]+(\S.*)/gmu;
/** Words that show a conversation. If the words of a line contain one of them, the line counts as spoken. */
const SPOKEN =
  /\b(?:I|I['’]\w+|you|your|you['’]\w+|my|me|we|us|our|hey|hi|hello|thanks|wow|yeah|yep|haha|lol|congrats|bye|awesome|cool|nice)\b/i;

/**
 * Words that people say to each other. If the words of a line contain one of them, a place name before the colon is the
 * name of a speaker.
 */
const IN_PERSON = /\b(?:I|I['’]\w+|you|hey|hi|hello|thanks)\b/i;

const CODENAME = /\bProject (\p{Lu}[\p{L}\d-]{2,30})/gu;
const NAMED_PROJECT =
  /\b(?:[Rr]epo|[Rr]epository|[Pp]roject)(?: "([\w .-]{2,40})"|: ?"?([\p{L}\d][\p{L}\d_.-]{1,40}[\p{L}\d])|(?<=\bproject) (\p{Lu}[\p{L}\d-]{2,30}))/gu;
/** Words that are not the name of a project, even if they follow "Project" with a capital: "Project Plan". */
const PARTS_OF_PROJECTS = wordSet(`
  manager managers management plan plans planning lead leader owner owners status overview update updates review kickoff goal goals
  team board brief timeline budget charter scope report structure setup notes description requirements name files needs details
  settings meeting meetings deadline deadlines deliverables documentation folder code sponsor office stakeholders phase phases
  milestone milestones backlog roadmap risk risks summary history type types based specific level
`);

const QUOTED = /["“]([\p{Lu}\d][^"“”\n]{1,60})["”]/gu;
/** Verbs and nouns that occur beside the title of a work, such as "read" and "novel". */
const WORK =
  /\b(?:read|reading|reads|watch(?:ed|ing)?|saw|seen|book|novel|movie|film|song|album|series|show|game|poem|painting|podcast|listen(?:ed|ing)?|heard|play(?:ed|ing)?|author|story|musical|opera|think of|to see|title[ds]?|episode|favou?rite|finished|memoir|documentary|trilogy|loved)\b/i;
const WORK_NEARBY = 60;
const SMALL_WORDS = wordSet('a an and as at but by for from in into nor of on or over per the to up with is');

export function explicitNames(prose: Prose): FoundName[] {
  return [...speakers(prose.text), ...projects(prose.text), ...works(prose.text), ...identifiers(prose)];
}

function speakers(text: string): FoundName[] {
  const found: FoundName[] = [];
  for (const match of text.matchAll(SPEAKER)) {
    const [line, name = '', said = ''] = match;
    if (!isSpeaker(name, said)) continue;
    const at = match.index + line.indexOf(name);
    found.push({ kind: 'people', name, at, end: at + name.length, isCertain: true });
  }
  return found;
}

/**
 * Whether a name is that of a speaker. "Fix: ..." and "Node: ..." have no speaker. A name that is not a usual given
 * name is a speaker only in a conversation.
 */
function isSpeaker(name: string, said: string): boolean {
  const [first = ''] = keyOf(name).split(' ');
  const known = knownByKey(keyOf(name));
  if (known) return known.isPlace && IN_PERSON.test(said);
  if (FIRST_NAMES.has(first)) return true;
  if (!SPOKEN.test(said)) return false;
  return WORDLIKE_FIRST_NAMES.has(first) || !(isOrdinaryWord(first) || first.endsWith('s'));
}

function projects(text: string): FoundName[] {
  const codenames = [...text.matchAll(CODENAME)].filter(([, name = '']) => !PARTS_OF_PROJECTS.has(name.toLowerCase()));
  const named = [...text.matchAll(NAMED_PROJECT)].filter(([, quoted, ...names]) => quoted ?? names.some(isProjectName));
  return [...codenames, ...named].map(match => {
    const name = match.slice(1).find(group => group !== undefined) ?? '';
    const at = match.index + match[0].lastIndexOf(name);
    return { kind: 'projects', name, at, end: at + name.length, isCertain: true };
  });
}

/**
 * Whether a name is that of a project. "React" in "the project React needs" and "build" in "Project: build a shed" are
 * not names of projects.
 */
function isProjectName(name: string | undefined): boolean {
  if (name === undefined) return false;
  const key = keyOf(name);
  return !isOrdinaryWord(key) && !FIRST_NAMES.has(key) && knownByKey(key) === undefined;
}

/** A quotation in title case is the title of a work if a nearby word suggests a work, such as "read" or "novel". */
function works(text: string): FoundName[] {
  const found: FoundName[] = [];
  for (const match of text.matchAll(QUOTED)) {
    const [quoted, name = ''] = match;
    const end = match.index + quoted.length;
    const nearby = `${text.slice(Math.max(0, match.index - WORK_NEARBY), match.index)} ${text.slice(end, end + WORK_NEARBY)}`;
    if (isTitle(name) && WORK.test(nearby)) {
      found.push({ kind: 'concepts', name: name.replace(/[.,!?]{1,60}$/, ''), at: match.index, end, isCertain: true });
    }
  }
  return found;
}

function isTitle(quoted: string): boolean {
  const words = quoted.split(' ');
  if (words.length > 8 || (words.length === 1 && isStopWord(quoted.toLowerCase()))) return false;
  return words.every(word => /^[\p{Lu}\d&]/u.test(word) || SMALL_WORDS.has(word));
}
