/** Entities that a question names, found by their tags whatever else the question finds. */
import { ENTITY_KINDS, slugOf } from '../domain/entity.js';
import { tagKey } from '../domain/tags.js';
import { isStopWord, words } from '../domain/text.js';
import type { ExpansionRules } from './admission.js';

/** Names of more words are found where a candidate has them. */
const WORDS_PER_NAME = 3;
/** Longer questions are pasted texts; their beginning says what they are about. */
const WORDS_MAX = 24;

/** @returns tag keys, in the order of the question */
export async function entitiesNamed(question: string, { graph, filter }: ExpansionRules): Promise<string[]> {
  const { tags: _anyTags, ...rest } = filter;
  const found = await Promise.all(
    possibleNames(question).map(async slug => {
      const keys = ENTITY_KINDS.map(kind => tagKey(`entity:${kind}:${slug}`));
      const within = { ...rest, tags: { keys, mode: 'any', match: 'exact' } } as const;
      const ids = await graph.list({ filter: within, order: 'importance', limit: 1 });
      const [memory] = (await graph.getMemories(ids)).values();
      return memory ? memory.tags.map(tagKey).filter(key => keys.includes(key)) : [];
    }),
  );
  return [...new Set(found.flat())];
}

/** Runs of the question's words, the longest first: a full name says more than its parts. */
function possibleNames(question: string): string[] {
  const all = words(question).slice(0, WORDS_MAX);
  const names = new Set<string>();
  for (let length = WORDS_PER_NAME; length > 0; length--) {
    for (let start = 0; start + length <= all.length; start++) {
      const run = all.slice(start, start + length);
      if (isStopWord(run[0] ?? '') || isStopWord(run.at(-1) ?? '')) continue;
      names.add(slugOf(run.join(' ')));
    }
  }
  names.delete('');
  return [...names];
}
