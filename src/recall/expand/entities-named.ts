/** Looks up the tags of entities that a question names. This finds entities even if no candidate has their tag. */
import { ENTITY_KINDS, slugOf } from '../../domain/entity.js';
import { isStopWord } from '../../domain/language.js';
import { tagKey } from '../../domain/tags.js';
import { words } from '../../domain/text/words.js';
import type { ExpansionRules } from './admission.js';

/** Maximum number of words in a name. A longer name is found only if a candidate has its tag. */
const WORDS_PER_NAME = 3;
/** Maximum number of words that are read. A longer question is a pasted text, and its beginning shows its subject. */
const WORDS_MAX = 24;
const WRITTEN_WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Maximum number of memories that are read for all possible names with the same number of words. */
const MEMORIES_MAX = 50;

/** @returns tag keys, the longest names first, and names of the same length in the order of the question */
export async function entitiesNamed(
  question: string,
  { context: { graph }, filter }: ExpansionRules,
): Promise<string[]> {
  const { tags: _anyTags, ...rest } = filter;
  const keysByLength = possibleNames(question).map(names =>
    names.flatMap(name => ENTITY_KINDS.map(kind => tagKey(`entity:${kind}:${name}`))),
  );
  const lists = await Promise.all(
    keysByLength.map(keys => {
      const within = { ...rest, tags: { keys, mode: 'any', match: 'exact' } } as const;
      return keys.length === 0 ? [] : graph.list({ filter: within, order: 'importance', limit: MEMORIES_MAX });
    }),
  );
  const memories = await graph.getMemories([...new Set(lists.flat())]);
  const present = new Set([...memories.values()].flatMap(({ tags }) => tags.map(tagKey)));
  return keysByLength.flat().filter(key => present.has(key));
}

/**
 * Word sequences of the question, grouped by length. The longest come first, because a full name is more specific than
 * its parts.
 */
function possibleNames(question: string): string[][] {
  // Tags keep letters such as "ł", which `words` folds.
  const sequences = [words(question), question.match(WRITTEN_WORD) ?? []].map(all => all.slice(0, WORDS_MAX));
  return Array.from({ length: WORDS_PER_NAME }, (_, index) => WORDS_PER_NAME - index).map(length => {
    const runs = sequences
      .flatMap(all => all.map((_, start) => all.slice(start, start + length)))
      .filter(run => run.length === length);
    const isStop = (word = '') => isStopWord(word.toLowerCase());
    const named = runs.filter(run => !isStop(run[0]) && !isStop(run.at(-1)));
    return [...new Set(named.map(run => slugOf(run.join(' '))))].filter(name => name !== '');
  });
}
