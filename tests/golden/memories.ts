/**
 * The golden memories: invented notes that an assistant stored for two fictional people in the year up to 1 March 2026.
 * They are about a developer's projects, about people, meetings and private life, and the last ones are the turns of a
 * chat.
 */
import type { MemoryType } from '../../src/domain/memory-type.js';
import { idOf } from '../support/records.js';
import BURSTS from './burst-memories.json' with { type: 'json' };
import GAP from './gap-memories.json' with { type: 'json' };
import NOTES from './memories.json' with { type: 'json' };

/** The request of a client. */
export interface GoldenMemory {
  content: string;
  type: MemoryType;
  tags: string[];
  importance: number;
  /** Creation time. */
  at: string;
  /** End of the memory's validity. */
  until?: string;
  /** Start of the memory's validity. */
  from?: string;
  /** Name of the memory that supersedes this memory. An INVALIDATED_BY edge leads to the superseding memory. */
  invalidatedBy?: string;
}

export type GoldenMemories = Record<string, GoldenMemory>;

export const MEMORIES = NOTES as GoldenMemories;
/**
 * Notes of nine invented projects, stored in bursts, as an assistant stores them at the end of a conversation. Each note
 * has one fact, and is stored 9 or 36 s after the previous one of its project.
 */
export const BURST_MEMORIES = BURSTS as GoldenMemories;
/** Further notes of the two people. For each note, the gap set has a question in other words. */
export const GAP_MEMORIES = GAP as GoldenMemories;
export const CROWD: GoldenMemories = { ...MEMORIES, ...BURST_MEMORIES, ...GAP_MEMORIES };

const NAMES = Object.keys(MEMORIES);

/** Ids follow the order of the memories, so that equal scores have the same order in every run. */
export function goldenId(name: string): string {
  const index = NAMES.indexOf(name);
  if (index < 0) throw new Error(`no golden memory is called ${name}`);
  return idOf(index + 1);
}

export function goldenName(id: string): string {
  return NAMES[Number(id.slice(-12)) - 1] ?? id;
}
