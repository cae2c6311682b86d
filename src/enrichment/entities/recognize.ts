/**
 * People and things that a text names, without a language model: lists of known names, the shape of names, and the words
 * beside them. A name links memories, so one that is in doubt is left out.
 */
import type { Entity } from '../../domain/entity.js';
import { explicitNames } from './explicit-names.js';
import { mergeNames } from './merge.js';
import { proseOf } from './prose.js';
import { namesIn } from './sentence-names.js';
import { sentencesOf } from './tokens.js';

/** What a text is about shows in its beginning; recognition computes on the thread that answers requests. */
const ANALYSED_LENGTH = 5_000;

/**
 * The people and things that a text names. This is the only way into recognition, and it fits inside a write: it is
 * synchronous, reads no file and no store, never throws, and gives the same for the same text.
 *
 * Its time grows with the length up to 5,000 characters and no further: some 0.3 ms for 1,000 characters, 2 ms for 5,000 or for a
 * megabyte, 5 ms at worst. The first call also builds the lists of names, which takes 40 to 80 ms. docs/entities.md says what
 * recognition misses.
 *
 * @param text any text, whole or hostile; what stands behind its first 5,000 characters is not read
 * @returns at most 20 entities in the order in which they appear, each name once, at most 60 characters long, of one kind
 */
export function recognizeEntities(text: string): Entity[] {
  const prose = proseOf(text.slice(0, ANALYSED_LENGTH));
  const inSentences = sentencesOf(prose.text).flatMap(sentence => namesIn(prose.text, sentence));
  return mergeNames([...explicitNames(prose), ...inSentences]);
}

/** Builds the lists of names before a first write waits for them. */
export function prepareRecognition(): void {
  recognizeEntities('Anna Berg uses PostgreSQL at Acme in Berlin.');
}
