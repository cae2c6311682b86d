/** The golden memories: notes that an assistant stored for two fictional people in the year up to 1 March 2026. */
import { idOf } from '../support/records.js';
import type { GoldenMemories } from './golden-memory.js';
import { CODE_MEMORIES } from './memories-code.js';
import { DIALOGUE_MEMORIES, PEOPLE_MEMORIES } from './memories-people.js';

export const MEMORIES: GoldenMemories = { ...CODE_MEMORIES, ...PEOPLE_MEMORIES, ...DIALOGUE_MEMORIES };

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
