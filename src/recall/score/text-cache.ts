/** Texts as recall reads them, kept for the next recall: the same memories are candidates again and again. */
import type { Memory } from '../../domain/memory.js';
import { readText, type TextEvidence } from './evidence.js';

export interface TextCache {
  read(memory: Memory): TextEvidence;
}

/** About 30 MiB. */
const WORDS_MAX = 200_000;

interface Kept {
  content: string;
  tags: readonly string[];
  text: TextEvidence;
}

/** Forgets what was read longest ago. A memory whose content or tags have changed is read anew. */
export function createTextCache(maxWords = WORDS_MAX): TextCache {
  const keptById = new Map<string, Kept>();
  let words = 0;
  const forget = (id: string, { text }: Kept) => {
    keptById.delete(id);
    words -= text.words.length;
  };
  return {
    read: ({ id, content, tags }) => {
      const known = keptById.get(id);
      if (known) forget(id, known);
      const isSame = known !== undefined && known.content === content && areEqual(known.tags, tags);
      const kept = isSame ? known : { content, tags, text: readText(content, tags) };
      keptById.set(id, kept);
      words += kept.text.words.length;
      for (const [oldest, old] of keptById) {
        if (words <= maxWords) break;
        forget(oldest, old);
      }
      return kept.text;
    },
  };
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
