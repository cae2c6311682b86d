/** Divides what a person has written into questions to the memory. Pure. */
import { isStopWord, words } from '../domain/text.js';

/** A long prompt names several things: each sentence asks by itself. */
const QUESTIONS_MAX = 6;
/** In characters. A sentence that goes on is cut. */
const QUESTION_MAX_LENGTH = 300;
/** In words: a short prompt is one question, whatever its sentences. */
const WHOLE_MAX_WORDS = 25;
/** Words that carry meaning. "Do it like this." asks nothing. */
const MEANINGFUL_MIN = 2;
const SENTENCE_END = /(?<=[.?!;:])\s+|\n+/;

/** At least one, and the first is asked first. */
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
