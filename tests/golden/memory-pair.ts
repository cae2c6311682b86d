/** Pairs of notes about the same subject, without an edge between them, and their conversion to memories. */
import type { GoldenMemories } from './memories.js';
import PAIRS from './pairs.json' with { type: 'json' };

export interface MemoryPair {
  name: string;
  /** Rules may be tuned on the development set, and are tested on the held-out set. */
  set: 'development' | 'heldOut';
  tags: string[];
  older: PairNote;
  newer: PairNote;
  /** A question that finds both notes. */
  ask: string;
}

export interface PairNote {
  content: string;
  at: string;
}

/** Contradicting notes. The statement of the older note is no longer true. */
export const DIFFERING_PAIRS = PAIRS.differing as readonly MemoryPair[];
/** Notes that are both valid: lists, details, other times, other places, and repetitions. */
export const RELATED_PAIRS = [...PAIRS.relatedDevelopment, ...PAIRS.relatedHeldOut] as readonly MemoryPair[];

export const olderOf = ({ name }: MemoryPair) => `${name}:older`;
export const newerOf = ({ name }: MemoryPair) => `${name}:newer`;

const IMPORTANCES = [0.5, 0.7, 0.6];

/** The notes of every second pair differ in importance: either the older or the newer note is more important. */
export function memoriesOf(pairs: readonly MemoryPair[]): GoldenMemories {
  const entries = pairs.flatMap((pair, index) => {
    const { tags, older, newer } = pair;
    const importanceOf = (place: number) => IMPORTANCES[place % IMPORTANCES.length];
    const shared = { type: 'Context', tags };
    return [
      [olderOf(pair), { ...shared, ...older, importance: importanceOf(index) }],
      [newerOf(pair), { ...shared, ...newer, importance: importanceOf(index % 2 === 0 ? index : index + 1) }],
    ];
  });
  return Object.fromEntries(entries) as GoldenMemories;
}
