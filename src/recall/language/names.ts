/**
 * Finds names in a question. For a sentence encoder a name outweighs the other words of a question: every memory that
 * mentions Anna is near "What does Anna cook?". Word search finds names already, so the question is also embedded
 * without its names.
 */
import { isStopWord } from '../../domain/text/language.js';
import { queryTerms } from '../../domain/text/terms.js';
import { words } from '../../domain/text/words.js';

const CAPITALISED = /\p{Lu}\p{Ll}+(?:['’]s)?(?![\p{L}\p{N}])/gu;
const BLANK = /\s/;
const SENTENCE_ENDS = '.!?:';
/**
 * Minimum number of meaningful words without the names. They must also be at least half of the meaningful words of the
 * question, because some languages capitalise every noun.
 */
const MEANINGFUL_WORDS_MIN = 2;

/** The question without its names. Undefined when the question has no names, or when too little is left. */
export function withoutNames(question: string): string | undefined {
  const without = question.replace(CAPITALISED, (word, at: number) => (isAmidSentence(question, at) ? '' : word));
  const rest = without.replace(/\s+/g, ' ').trim();
  if (rest === question.replace(/\s+/g, ' ').trim()) return undefined;
  const left = meaningfulCount(rest);
  return left >= MEANINGFUL_WORDS_MIN && left * 2 >= meaningfulCount(question) ? rest : undefined;
}

/** Names in the question, in order. A capital at the beginning of a sentence does not mark a name. */
export function namesIn(question: string): string[] {
  return [...question.matchAll(CAPITALISED)]
    .filter(({ index }) => isAmidSentence(question, index))
    .map(([name]) => name);
}

/** A name such as C++ or C#, a version, or an address of a machine. */
const IDENTIFIER = /(?<![\p{L}\p{N}])(?:\p{L}(?:\+\+|#)|v?\d+(?:\.\d+){2,})(?![\p{L}\p{N}])/giu;

/**
 * Terms by which a question names one of several things that differ in a character. Other names and numbers do not count:
 * "Does it still cost 29 euros?" may name the former value.
 */
export function identifyingTerms(question: string): Set<string> {
  return new Set([...question.matchAll(IDENTIFIER)].flatMap(([written]) => queryTerms(written)));
}

/**
 * Whether a word is not the first word of a sentence. Checks the white space before the word only once, because a
 * look-behind pattern over a run of white space would restart at each character.
 */
function isAmidSentence(question: string, at: number): boolean {
  let end = at;
  while (end > 0 && BLANK.test(question.charAt(end - 1))) end -= 1;
  return end > 0 && end < at && !SENTENCE_ENDS.includes(question.charAt(end - 1));
}

function meaningfulCount(text: string): number {
  return words(text).filter(word => !isStopWord(word)).length;
}
