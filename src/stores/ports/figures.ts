/** What a store counts and ranks by itself, so that nobody reads all that it holds. */
import type { Relation } from '../../domain/relation.js';
import type { AuxiliaryNode } from './node-store.js';

export interface TypeCount {
  /** As it is stored: another program may have written one that is none of the seven, or none, which is the empty text. */
  type: string;
  count: number;
  /** Of the confidences of its memories. */
  confidenceSum: number;
}

export interface Figures {
  /** All memories by type, in no order; a type that no memory has is left out. */
  countTypes(): Promise<TypeCount[]>;
  /**
   * Nodes of kind Pattern whose confidence is higher than that, highest first, then those with most observations. One
   * without a type and a content in text is left out.
   */
  surestPatterns(request: { aboveConfidence: number; limit: number }): Promise<AuxiliaryNode[]>;
  /** Edges PREFERS_OVER, strongest first, then newest. */
  strongestPreferences(limit: number): Promise<Relation[]>;
}
