/** Splits prose into words with the properties that recognition needs: capitals, position, text between words. */
import { isOrdinaryWord } from './lists/ordinary-words.js';
import { wordSet } from './lists/word-set.js';

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
const FOREIGN_WORDS = wordSet(
  `der die das und ist nicht ein eine einen dem den des mit für auf im zu zum zur von wir ich sie wird sind war bei nach auch sich
  el los las una que por para con está pero como más muy del les le et est une dans pour avec sur pas nous vous je il elle qui
  het een niet van voor zijn ik wij og ikke det som til av och att inte på czy nie jest się na do che non sono gli della`,
);

/** Splits prose into sentences and words. */
export function sentencesOf(prose: string): Sentence[] {
  const sentences: Sentence[] = [];
  let previous: Token | undefined;
  for (const match of prose.matchAll(WORD)) {
    const gap = prose.slice(previous?.end ?? 0, match.index);
    const ends = previous === undefined || isEnd(gap, previous);
    if (previous === undefined || (ends && SEPARATES.test(gap))) sentences.push({ tokens: [], isUnreliable: false });
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
