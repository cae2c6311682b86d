/** Texts as recall reads them, kept for the next recall: the same memories are candidates again and again. */
import type { Memory } from '../../domain/memory.js';
import { createRecent } from '../../domain/recent.js';
import { readText, type TextEvidence } from './evidence.js';

export interface TextCache {
  read(memory: Memory): TextEvidence;
}

/** At most about 45 MiB. */
const WORDS_MAX = 300_000;

interface Kept {
  content: string;
  tags: readonly string[];
  text: TextEvidence;
}

/** A memory whose content or tags have changed is read anew. */
export function createTextCache(maxWords = WORDS_MAX): TextCache {
  const known = createRecent<Kept>(maxWords, ({ text }) => text.words.length + 1);
  return {
    read: ({ id, content, tags }) => {
      const kept = known.get(id);
      if (kept && kept.content === content && areEqual(kept.tags, tags)) return kept.text;
      const text = readText(content, tags);
      known.set(id, { content, tags, text });
      return text;
    },
  };
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
