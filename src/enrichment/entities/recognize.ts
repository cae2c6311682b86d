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

/** At most 20 entities of the first 5,000 characters of a text, in the order in which they appear. */
export function recognizeEntities(text: string): Entity[] {
  const prose = proseOf(text.slice(0, ANALYSED_LENGTH));
  const inSentences = sentencesOf(prose.text).flatMap(sentence => namesIn(prose.text, sentence));
  return mergeNames([...explicitNames(prose), ...inSentences]);
}
