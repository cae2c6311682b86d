/** Divides a prompt into queries for recall. */
import { isStopWord } from '../domain/language.js';
import { words } from '../domain/text/words.js';

/** Maximum number of queries. A long prompt names several subjects, so each sentence becomes a query of its own. */
const QUESTIONS_MAX = 6;
/** Maximum length in characters. Longer sentences are cut. */
const QUESTION_MAX_LENGTH = 300;
/** A prompt with at most this number of words becomes one query. */
const WHOLE_MAX_WORDS = 25;
/** Minimum number of words that are not stop words. "Do it like this." has only one such word. */
const MEANINGFUL_MIN = 2;
const SENTENCE_END = /(?<=[.?!;:])\s+|\n+/;

/** @returns at least one query, in the order of the text */
export function questionsIn(text: string): string[] {
  const whole = text.replaceAll(/\s+/g, ' ').trim().slice(0, QUESTION_MAX_LENGTH);
  if (words(text).length <= WHOLE_MAX_WORDS) return [whole];
  const sentences = text
    .split(SENTENCE_END)
    .map(sentence => sentence.trim().slice(0, QUESTION_MAX_LENGTH))
    .filter(sentence => meaningOf(sentence) >= MEANINGFUL_MIN);
  if (sentences.length === 0) return [whole];
  const longest = new Set([...sentences].sort((a, b) => meaningOf(b) - meaningOf(a)).slice(0, QUESTIONS_MAX));
  return sentences.filter(sentence => longest.has(sentence)).slice(0, QUESTIONS_MAX);
}

function meaningOf(sentence: string): number {
  return words(sentence).filter(word => !isStopWord(word)).length;
}
