/** A walk along edges as it is asked of the engine (decisions D15). */
import type { RelationType } from './relation.js';

export interface RelatedQuery {
  id: string;
  types: readonly RelationType[];
  maxDepth: number;
  limit: number;
}
