/** All notes that are searched together: the golden memories, the bursts and the notes of the gap set. */
import { BURST_MEMORIES } from './burst-memories.js';
import { GAP_MEMORIES } from './gap-memories.js';
import type { GoldenMemories } from './golden-memory.js';
import { MEMORIES } from './memories.js';

export const CROWD: GoldenMemories = { ...MEMORIES, ...BURST_MEMORIES, ...GAP_MEMORIES };
