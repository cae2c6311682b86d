/**
 * Recognises people and things named in a text without a language model, by lists of known names, the form of names,
 * and the words beside them. Names link memories, so doubtful names are left out.
 */
import type { Entity } from '../../domain/entity.js';
import { explicitNames } from './explicit-names.js';
import { mergeNames } from './merge.js';
import { proseOf } from './prose.js';
import { namesIn } from './sentence-names.js';
import { sentencesOf } from './tokens.js';

/**
 * Maximum length that is read. The beginning of a text shows its topic, and recognition blocks the thread that answers
 * requests.
 */
const ANALYSED_LENGTH = 5_000;

/**
 * Returns the people and things that a text names. It is the only entry point of recognition and is fast enough for a
 * write: it is synchronous, reads no file and no store, never throws, and returns the same for the same text.
 *
 * Its time grows with the length only up to 5,000 characters: about 0.3 ms for 1,000 characters, 2 ms for 5,000
 * characters or for a megabyte, 5 ms at worst. The first call also builds the lists of names, which takes 40 to 80 ms.
 * docs/entities.md describes the names that recognition misses.
 *
 * @param text any text, even hostile text; only its first 5,000 characters are read
 * @returns at most 20 entities in the order in which they appear. Each name occurs once, has one kind, and is at most
 * 60 characters long.
 */
export function recognizeEntities(text: string): Entity[] {
  const prose = proseOf(text.slice(0, ANALYSED_LENGTH));
  const inSentences = sentencesOf(prose.text).flatMap(sentence => namesIn(prose.text, sentence));
  return mergeNames([...explicitNames(prose), ...inSentences]);
}

/** Builds the lists of names, so that the first write does not wait for them. */
export function prepareRecognition(): void {
  recognizeEntities('Anna Berg uses PostgreSQL at Acme in Berlin.');
}
