/**
 * Edges that callers create, and memories that replace other memories
 * (docs/decisions.md, "Making edges and walking them").
 */
import type { Metadata } from './json.js';
import type { RelationType } from './relation.js';

export interface Association {
  memory1_id: string;
  memory2_id: string;
  type: RelationType;
  /** 0..1 */
  strength: number;
  /** Only properties that the type declares. */
  properties: Metadata;
}

/** How a new memory replaces an old one. */
export interface Supersession {
  oldId: string;
  type: 'INVALIDATED_BY' | 'EVOLVED_INTO';
  reason?: string;
}

export const SUPERSEDE_RELATIONS = ['INVALIDATED_BY', 'EVOLVED_INTO'] as const;
export const ASSOCIATIONS_MAX = 500;
