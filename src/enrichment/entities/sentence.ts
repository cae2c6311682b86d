/**
 * Splits prose into sentences, and these into words with the properties that recognition needs: capitals, position, text
 * between words. Finds the text before and after a word, and the words that may form one name.
 */
import type { Entity, EntityKind } from '../../domain/entity.js';
import { CALENDAR_WORDS, isOrdinaryWord, WORDS, wordSet } from './lists.js';

export interface Token {
  /** The word as written, without a possessive ending. */
  text: string;
  /** The word in lower case and without accents. */
  key: string;
  at: number;
  /** End position, including the possessive. */
  end: number;
  /** Whether the word begins with a capital. */
  isCapitalised: boolean;
  /** Whether the word has at least two letters, all of which are capitals. */
  isShouted: boolean;
  isPossessive: boolean;
  /** Whether the word is the first of a sentence, a line or a quotation, where a capital means nothing. */
  isOpening: boolean;
  /** The text between the previous word and this one. */
  gap: string;
}

export interface Sentence {
  /** The text that contains the sentence. */
  prose: string;
  tokens: Token[];
  /** Whether capitals mean nothing, because the sentence is a headline, mostly in capitals, or not in English. */
  isUnreliable: boolean;
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}+#]|[.'’&-](?=[\p{L}\p{N}]))*/gu;
const ACCENTS = /\p{M}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, control characters included
const NOT_ASCII = /[^\x00-\x7f]/;
/** Matches most words. No other pattern is tried on such a word. */
const PLAIN = /^[a-z]+$/;
const CAPITAL = /^\p{Lu}/u;
const SHOUTED = /^(?=.*\p{Lu}.*\p{Lu})[^\p{Ll}]+$/u;
const ENDS_SENTENCE = /[.!?:;\n\ue000•…|\t“"«»[\]{}]|[*]{2}|\s[-–—>]\s?/;
/**
 * Matches a gap after which a new `Sentence` begins. The other marks of `ENDS_SENTENCE`, such as a colon, only make the
 * next word an opening word (`isOpening`).
 */
const SEPARATES = /[.!?;\n…]/;
const ABBREVIATIONS = wordSet('dr mr mrs ms prof st vs inc ltd corp co no jr sr e.g i.e e.g. approx dept gen rev');
const INITIAL = /^\p{Lu}$/u;

const SMALL_WORDS = wordSet(
  'a an and as at but by for from in into nor of on or over per the to up via vs with is are',
);
const ENGLISH_WORDS = wordSet(
  'the and is are was were to of for with that this it i you we he she they not be have has my our on at',
);
const FOREIGN_WORDS: ReadonlySet<string> = new Set(WORDS.foreignWords);

/** Splits prose into sentences and words. */
export function sentencesOf(prose: string): Sentence[] {
  const sentences: Sentence[] = [];
  let previous: Token | undefined;
  for (const match of prose.matchAll(WORD)) {
    const gap = prose.slice(previous?.end ?? 0, match.index);
    const ends = previous === undefined || isEnd(gap, previous);
    if (previous === undefined || (ends && SEPARATES.test(gap)))
      sentences.push({ prose, tokens: [], isUnreliable: false });
    previous = tokenOf(match[0], match.index, { gap, isOpening: ends });
    sentences.at(-1)?.tokens.push(previous);
  }
  for (const sentence of sentences) sentence.isUnreliable = isUnreliable(sentence);
  return sentences;
}

function tokenOf(raw: string, at: number, rest: Pick<Token, 'gap' | 'isOpening'>): Token {
  const text = raw.endsWith("'s") || raw.endsWith('’s') ? raw.slice(0, -2) : raw;
  const isPlain = PLAIN.test(text);
  return {
    text,
    key: isPlain ? text : keyOf(text),
    at,
    end: at + raw.length,
    isCapitalised: !isPlain && CAPITAL.test(text),
    isShouted: !isPlain && SHOUTED.test(text),
    isPossessive: text.length < raw.length,
    ...rest,
  };
}

/** Converts to the form for look-ups: lower case without accents. */
export function keyOf(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(ACCENTS, '').toLowerCase().replaceAll('’', "'");
}

function isEnd(gap: string, previous: Token): boolean {
  if (!ENDS_SENTENCE.test(gap)) return false;
  const isAbbreviation = ABBREVIATIONS.has(previous.key) || INITIAL.test(previous.text);
  return !(isAbbreviation && gap.trim() === '.');
}

function isUnreliable(sentence: Sentence): boolean {
  return isShout(sentence) || isHeadline(sentence) || isForeign(sentence);
}

function isShout({ tokens }: Sentence): boolean {
  const worded = tokens.filter(({ text }) => text.length > 1);
  return worded.length >= 3 && worded.filter(({ isShouted }) => isShouted).length > worded.length * 0.6;
}

/**
 * Whether a sentence is a title such as "Lessons Learned From The Outage". In a title only small words are in lower
 * case, and a capital does not mark a name.
 */
function isHeadline({ tokens }: Sentence): boolean {
  const isCapital = ({ isCapitalised, key }: Token) => isCapitalised || SMALL_WORDS.has(key) || /^\d/.test(key);
  if (tokens.length < 3 || !tokens.every(isCapital)) return false;
  const [, ...rest] = tokens;
  return rest.filter(({ isCapitalised, key }) => isCapitalised && isOrdinaryWord(key)).length >= 2;
}

function isForeign({ tokens }: Sentence): boolean {
  let foreign = 0;
  let english = 0;
  for (const { text } of tokens) {
    const word = text.toLowerCase();
    if (FOREIGN_WORDS.has(word)) foreign += 1;
    if (ENGLISH_WORDS.has(word)) english += 1;
  }
  return foreign >= 2 && foreign > english;
}

/** A name with its position. */
export interface FoundName extends Entity {
  at: number;
  end: number;
  /** Whether the text names the entity explicitly. If its mentions differ in kind, the explicit mention decides. */
  isCertain: boolean;
}

/** A name among the words of a sentence. */
export interface NameSpan {
  name: FoundName;
  /** Index after the last word of the name. */
  next: number;
}

export const NAME_WORDS_MAX = 5;
/** Maximum distance between a name and a cue for the name, in characters. */
const CUE_DISTANCE = 70;
const LETTER_PAIR = /\p{L}{2}/u;

export function textBefore({ prose, tokens }: Sentence, index: number): string {
  const { at } = tokens[index] as Token;
  const from = tokens[0]?.at ?? 0;
  return prose.slice(Math.max(from, at - CUE_DISTANCE), at);
}

export function textAfter({ prose, tokens }: Sentence, last: number): string {
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
export function endOfRun({ tokens }: Sentence, start: number, limit: number): number {
  let end = start + 1;
  while (end < limit && isNameLike(tokens[end]) && continuesName(tokens[end - 1] as Token, tokens[end])) end += 1;
  return end;
}

/** The name from the word `start` up to the word before `end`, in the spelling of the text. */
export function spanOf(
  sentence: Sentence,
  { kind, start, end }: { kind: EntityKind; start: number; end: number },
): NameSpan {
  const { at } = sentence.tokens[start] as Token;
  const last = sentence.tokens[end - 1] as Token;
  return { name: { kind, name: spell(sentence, start, end), at, end: last.end, isCertain: false }, next: end };
}

function spell({ tokens, prose }: Sentence, start: number, end: number): string {
  const first = tokens[start] as Token;
  const last = tokens[end - 1] as Token;
  return prose.slice(first.at, last.at + last.text.length);
}
