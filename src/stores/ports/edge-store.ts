/** Edges between memories. */
import type { Relation, RelationType } from '../../domain/relation.js';

export interface RelationRequest {
  ids: readonly string[];
  /** Most edges for each memory. */
  limit: number;
  minStrength?: number;
  /** Only these types; absent: all. */
  types?: readonly RelationType[];
  /** Only edges that begin at the memory. */
  isOutgoingOnly?: boolean;
}

/** What tells one edge from all others. */
export type RelationKey = Pick<Relation, 'from' | 'to' | 'type'>;

export interface EdgeStore {
  /**
   * Writes edges, replacing those of the same (from, type, to).
   *
   * @returns for each whether both its ends exist; where one does not, nothing was written
   */
  saveRelations(relations: readonly Relation[]): Promise<boolean[]>;
  /** Removes the edges of these ends and types; those that do not exist are passed over. */
  removeRelations(edges: readonly RelationKey[]): Promise<void>;
  /** For each memory how many edges it has with other memories, in either direction; 0 where it has none. */
  countRelations(ids: readonly string[]): Promise<Map<string, number>>;
  /** For each memory its edges: authored before system ones, then strongest, then newest. */
  relationsOf(request: RelationRequest): Promise<Map<string, Relation[]>>;
}
