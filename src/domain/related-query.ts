/** The parameters for following edges in the engine (docs/decisions.md, "Making edges and walking them"). */
import type { RelationType } from './relation.js';

export interface RelatedQuery {
  id: string;
  types: readonly RelationType[];
  maxDepth: number;
  limit: number;
}
