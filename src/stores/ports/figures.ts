/** Counts and rankings that a store computes itself, so that no caller reads the whole store. */
import type { Relation } from '../../domain/relation.js';
import type { AuxiliaryNode } from './node-store.js';

export interface TypeCount {
  /**
   * The type as stored. Another program may have written one outside the seven types, or none; none is the empty text.
   */
  type: string;
  count: number;
  /** Sum of the confidences of the memories with this type. */
  confidenceSum: number;
}

export interface Figures {
  /** Counts all memories by type, in no particular order; leaves out types without memories. */
  countTypes(): Promise<TypeCount[]>;
  /**
   * Nodes of kind Pattern with a confidence above the bound: highest confidence first, then most observations. Patterns
   * whose type or content is not a text are left out.
   */
  surestPatterns(request: { aboveConfidence: number; limit: number }): Promise<AuxiliaryNode[]>;
  /** Edges PREFERS_OVER, strongest first, then newest. */
  strongestPreferences(limit: number): Promise<Relation[]>;
}
