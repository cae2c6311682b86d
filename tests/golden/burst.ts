/**
 * Notes stored in a burst, as an assistant stores them at the end of a conversation. Each note contains one fact and is
 * stored 9 or 36 s after the previous note.
 */
import type { MemoryType } from '../../src/domain/memory.js';
import type { GoldenMemories } from './golden-memory.js';

export interface BurstNote {
  name: string;
  content: string;
  tags: string[];
  type?: MemoryType;
}

const IMPORTANCES = [0.5, 0.6, 0.7, 0.8];

/** @param project the tag of all these notes, without `project:` */
export function burst(project: string, start: string, notes: readonly BurstNote[]): GoldenMemories {
  const startMs = Date.parse(start);
  const entries = notes.map(({ name, content, tags, type = 'Context' }, index) => [
    name,
    {
      content,
      type,
      tags: [`project:${project}`, ...tags],
      importance: IMPORTANCES[index % IMPORTANCES.length],
      at: new Date(startMs + index * 27_000 + (index % 3) * 9_000).toISOString(),
    },
  ]);
  return Object.fromEntries(entries) as GoldenMemories;
}
