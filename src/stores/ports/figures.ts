/** Counts and rankings that a store computes itself, so that no caller reads the whole store. */
import type { MemoryType } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import type { AuxiliaryNode } from './node-store.js';

export interface TypeCount {
  /** The type as stored. Another program may have written an unknown type, or no type. The empty text means no type. */
  type: string;
  count: number;
  /** Sum of the confidences of the memories with this type. */
  confidenceSum: number;
}

export interface Figures {
  /** Counts all memories by type, in no particular order; leaves out types without memories. */
  countTypes(): Promise<TypeCount[]>;
  /**
   * Returns nodes of kind Pattern with a confidence above the bound: highest confidence first, then most observations.
   * Patterns whose type or content is not a text are left out.
   */
  surestPatterns(request: { aboveConfidence: number; limit: number }): Promise<AuxiliaryNode[]>;
  /**
   * Returns the ids of memories of some types with at least this importance, whether they are valid or not: most
   * important first, then newest, then by id.
   */
  importantOfTypes(request: {
    types: readonly MemoryType[];
    leastImportance: number;
    limit: number;
  }): Promise<string[]>;
  /** Returns edges PREFERS_OVER, the strongest first, then the newest. */
  strongestPreferences(limit: number): Promise<Relation[]>;
}
