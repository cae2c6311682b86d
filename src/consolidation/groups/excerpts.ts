/** Selects members that represent a group that is too large to be shown as a whole. */
import type { Memory } from '../../domain/memory.js';
import { beginningOf } from '../../domain/text/length.js';
import type { DatedText } from '../../language-model/language-model.js';

const EXCERPTS_MAX = 12;
const EXCERPT_MAX_LENGTH = 300;

/** Receives the members of a group one by one, and keeps excerpts of the selected members. */
export interface Excerpts {
  add(memory: Memory): void;
  /** Oldest first. */
  texts(): DatedText[];
}

/** @param memberIds of all members; the selected members are evenly spaced in this list */
export function createExcerpts(memberIds: readonly string[]): Excerpts {
  const step = Math.max(1, memberIds.length / EXCERPTS_MAX);
  const count = Math.min(EXCERPTS_MAX, memberIds.length);
  const shown = new Set(Array.from({ length: count }, (_, index) => memberIds[Math.floor(index * step)]));
  const texts: DatedText[] = [];
  return {
    add: ({ id, timestamp, content }) => {
      if (shown.has(id)) texts.push({ date: timestamp, text: beginningOf(content, EXCERPT_MAX_LENGTH) });
    },
    texts: () => texts.sort((a, b) => (a.date < b.date ? -1 : 1)),
  };
}
