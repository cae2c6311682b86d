/**
 * Classifies capitalised words that no list contains, by the words beside them. If the words beside them give no kind,
 * the capitalised words do not count as a name.
 */
import type { EntityKind } from '../../domain/entity.js';
import * as people from './cues/people.js';
import * as things from './cues/things.js';
import type { FoundName, NameSpan } from './found-name.js';
import { knownByKey } from './known-names.js';
import { isOrdinaryWord } from './lists/ordinary-words.js';
import { TITLES } from './lists/titles.js';
import { endOfRun, isNameLike, type Reading, spanOf, textAfter, textBefore } from './reading.js';
import type { Token } from './tokens.js';

const WORDS_MAX = 3;
/** The text between two alternatives of a choice ("X over Y") must be shorter than this number of characters. */
const CHOICE_DISTANCE = 12;
/** Matches the text between the names of a list. */
const LISTED = /^(?:,| and| &| or|, and|, or) $/;
/** Matches "Oksana", "O'Brien", "McKay", "Jean-Luc", but neither "CDNs" nor "IPv4". */
const PERSONS_WORD =
  /^(?:Mc|Mac|O['’]|D['’]|De|Di|Du|La|Le|Van|Von|Fitz)?\p{Lu}[\p{Ll}\p{M}'’]+(?:-\p{L}[\p{Ll}\p{M}'’]+)*$/u;

/** @param previous the name that was found before this name in the same sentence */
export function unknownNameAt(reading: Reading, index: number, previous: FoundName | undefined): NameSpan | undefined {
  const token = reading.tokens[index];
  if (!isNameLike(token) || reading.sentence.isUnreliable || TITLES.has(token.key)) return undefined;
  if (token.isOpening && isOrdinaryWord(token.key)) return undefined;
  if (isProject(reading, index)) return spanOf(reading, { kind: 'projects', start: index, end: index + 1 });
  const run = { start: index, end: endOfUnknown(reading, index) };
  const words = reading.tokens.slice(run.start, run.end);
  if (words.every(({ key }) => isOrdinaryWord(key))) return undefined;
  const kind = kindByCues(reading, words, run) ?? kindOfList(reading, index, previous);
  return kind && spanOf(reading, { kind, ...run });
}

function isProject(reading: Reading, index: number): boolean {
  const { key, isShouted } = reading.tokens[index] as Token;
  return !isShouted && !isOrdinaryWord(key) && things.isProject(textBefore(reading, index), textAfter(reading, index));
}

function endOfUnknown(reading: Reading, start: number): number {
  const runEnd = endOfRun(reading, start, start + WORDS_MAX);
  let end = start + 1;
  while (end < runEnd && knownByKey(reading.tokens[end]?.key ?? '') === undefined) end += 1;
  return end;
}

function kindByCues(
  reading: Reading,
  words: readonly Token[],
  { start, end }: { start: number; end: number },
): EntityKind | undefined {
  const before = textBefore(reading, start);
  const after = textAfter(reading, end - 1);
  if (things.isBeforeOrganization(before)) return 'organizations';
  if (words.some(({ isShouted }) => isShouted)) return undefined;
  if (isPerson(words, before, after)) return 'people';
  if (things.isBeforePlace(before)) return 'concepts';
  return things.isBeforeTool(before) || things.isChoice(before, after) ? 'tools' : undefined;
}

function isPerson(words: readonly Token[], before: string, after: string): boolean {
  const [first] = words as readonly [Token, ...Token[]];
  if (!words.every(({ text }) => PERSONS_WORD.test(text))) return false;
  if (people.isBeforePerson(before) || people.isAddressed(before, after)) return true;
  if (isOrdinaryWord(first.key)) return false;
  if (words.at(-1)?.isPossessive) return people.isOwnedByPerson(after);
  if (words.length > 1) {
    const isFullName = words.every(({ key }) => !isOrdinaryWord(key));
    return isFullName && people.isAfterFullName(after);
  }
  if (!first.isOpening) return people.isAfterPerson(after);
  // Skip words that end in s, because plural nouns begin sentences more often than names that end in s.
  return !first.key.endsWith('s') && people.isAfterUnknownPerson(after);
}

/**
 * Returns the kind of the previous name if both names are in the same list or choice: "Pablo, Ingrid and Wei", "Qdrant
 * over Weaviate".
 */
function kindOfList(reading: Reading, start: number, previous: FoundName | undefined): EntityKind | undefined {
  const token = reading.tokens[start] as Token;
  if (!previous || token.isShouted) return undefined;
  const between = reading.prose.slice(previous.end, token.at);
  if (previous.kind === 'people') return LISTED.test(between) && PERSONS_WORD.test(token.text) ? 'people' : undefined;
  if (previous.kind !== 'tools') return undefined;
  const isChoice = between.length < CHOICE_DISTANCE && things.isBeforeOtherChoice(textBefore(reading, start));
  return LISTED.test(between) || isChoice ? 'tools' : undefined;
}
