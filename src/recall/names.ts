/**
 * Names in a question. To a sentence encoder a name outweighs what is asked: every memory that mentions Anna is near "What
 * does Anna cook?". Names are for the words to find, so the question's vector is also made without them.
 */
import { isStopWord, words } from '../domain/text.js';

/** Capitalised within a sentence. */
const NAME = /(?<=[^\s.!?:]\s+)\p{Lu}\p{Ll}+(?:['’]s)?(?![\p{L}\p{N}])/gu;
/** What is left must say something, and be no less than half of the question: some languages capitalise every noun. */
const MEANINGFUL_WORDS_MIN = 2;

/** The question without the names in it; undefined when it has none, or is about little else. */
export function withoutNames(question: string): string | undefined {
  const rest = question.replace(NAME, '').replace(/\s+/g, ' ').trim();
  if (rest === question.replace(/\s+/g, ' ').trim()) return undefined;
  const left = meaningfulCount(rest);
  return left >= MEANINGFUL_WORDS_MIN && left * 2 >= meaningfulCount(question) ? rest : undefined;
}

function meaningfulCount(text: string): number {
  return words(text).filter(word => !isStopWord(word)).length;
}
