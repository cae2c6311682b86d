/**
 * Names in a question. To a sentence encoder a name outweighs what is asked: every memory that mentions Anna is near "What
 * does Anna cook?". Names are for the words to find, so the question's vector is also made without them.
 */
import { isStopWord, words } from '../../domain/text.js';

const CAPITALISED = /\p{Lu}\p{Ll}+(?:['’]s)?(?![\p{L}\p{N}])/gu;
const BLANK = /\s/;
const SENTENCE_ENDS = '.!?:';
/** What is left must say something, and be no less than half of the question: some languages capitalise every noun. */
const MEANINGFUL_WORDS_MIN = 2;

/** The question without the names in it; undefined when it has none, or is about little else. */
export function withoutNames(question: string): string | undefined {
  const without = question.replace(CAPITALISED, (word, at: number) => (isAmidSentence(question, at) ? '' : word));
  const rest = without.replace(/\s+/g, ' ').trim();
  if (rest === question.replace(/\s+/g, ' ').trim()) return undefined;
  const left = meaningfulCount(rest);
  return left >= MEANINGFUL_WORDS_MIN && left * 2 >= meaningfulCount(question) ? rest : undefined;
}

/** Names that stand in the question, in order: a capital at the beginning of a sentence names nothing. */
export function namesIn(question: string): string[] {
  return [...question.matchAll(CAPITALISED)]
    .filter(({ index }) => isAmidSentence(question, index))
    .map(([name]) => name);
}

/** Looks at the blanks before a word once: a pattern that looks behind a run of them would start anew from each of them. */
function isAmidSentence(question: string, at: number): boolean {
  let end = at;
  while (end > 0 && BLANK.test(question.charAt(end - 1))) end -= 1;
  return end > 0 && end < at && !SENTENCE_ENDS.includes(question.charAt(end - 1));
}

function meaningfulCount(text: string): number {
  return words(text).filter(word => !isStopWord(word)).length;
}
