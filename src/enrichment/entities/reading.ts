/** A sentence in which names are found: its words, and the text before and after each word. */
import type { EntityKind } from '../../domain/entity.js';
import type { NameSpan } from './found-name.js';
import { CALENDAR_WORDS } from './lists/dates.js';
import type { Sentence, Token } from './tokens.js';

/** Maximum distance between a name and a cue for the name, in characters. */
const CUE_DISTANCE = 70;
const LETTER_PAIR = /\p{L}{2}/u;

export interface Reading {
  prose: string;
  sentence: Sentence;
  tokens: readonly Token[];
}

export function textBefore({ prose, tokens }: Reading, index: number): string {
  const { at } = tokens[index] as Token;
  const from = tokens[0]?.at ?? 0;
  return prose.slice(Math.max(from, at - CUE_DISTANCE), at);
}

export function textAfter({ prose, tokens }: Reading, last: number): string {
  const { end } = tokens[last] as Token;
  return prose.slice(end, end + CUE_DISTANCE);
}

/** Whether a word is capitalised, has two adjacent letters and is not a date. Such a word may be part of a name. */
export function isNameLike(token: Token | undefined): token is Token {
  return token?.isCapitalised === true && LETTER_PAIR.test(token.text) && !CALENDAR_WORDS.has(token.key);
}

/** Whether the characters between two adjacent words allow that both words belong to one name. */
export function continuesName(previous: Token, token: Token | undefined): token is Token {
  if (token === undefined || previous.isPossessive || token.isOpening) return false;
  return token.gap === ' ' || token.gap === ' & ' || (token.gap === '. ' && previous.text.length === 1);
}

/** Index after the capitalised words that begin at `start`, at most `limit`. */
export function endOfRun({ tokens }: Reading, start: number, limit: number): number {
  let end = start + 1;
  while (end < limit && isNameLike(tokens[end]) && continuesName(tokens[end - 1] as Token, tokens[end])) end += 1;
  return end;
}

/** The name from the word `start` up to the word before `end`, in the spelling of the text. */
export function spanOf(
  reading: Reading,
  { kind, start, end }: { kind: EntityKind; start: number; end: number },
): NameSpan {
  const { at } = reading.tokens[start] as Token;
  const last = reading.tokens[end - 1] as Token;
  return { name: { kind, name: spell(reading, start, end), at, end: last.end, isCertain: false }, next: end };
}

function spell({ tokens, prose }: Reading, start: number, end: number): string {
  const first = tokens[start] as Token;
  const last = tokens[end - 1] as Token;
  return prose.slice(first.at, last.at + last.text.length);
}
