/** Texts as recall reads them, kept for the next recall: the same memories are candidates again and again. */
import type { Memory } from '../../domain/memory.js';
import { createRecent } from '../../domain/recent.js';
import { readText, type TextEvidence } from './text.js';

export interface TextCache {
  read(memory: Memory): TextEvidence;
}

const BYTES_MAX = 48 * 1024 * 1024;
/** Of the objects that hold a text together, and of each tag with its stems. */
const BYTES_OF_TEXT = 700;
const BYTES_OF_TAG = 200;

interface Kept {
  content: string;
  tags: readonly string[];
  text: TextEvidence;
}

/** A memory whose content or tags have changed is read anew. */
export function createTextCache(maxBytes = BYTES_MAX): TextCache {
  const known = createRecent<Kept>(maxBytes, bytesOf);
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

function bytesOf({ content, text: { hashes, places, tags } }: Kept): number {
  return BYTES_OF_TEXT + content.length + hashes.byteLength + places.byteLength + tags.length * BYTES_OF_TAG;
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
