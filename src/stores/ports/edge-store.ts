/** Edges between memories. */
import type { Memory } from '../../domain/memory.js';
import type { EndOfEntry, Relation, RelationType } from '../../domain/relation.js';

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

export interface RelationsWithEnds {
  relations: Map<string, Relation[]>;
  /** What stands at the other ends of these edges, by id. */
  ends: Map<string, Memory>;
}

export interface ShownRequest extends Pick<RelationRequest, 'ids' | 'limit'> {
  /** Whether the memories themselves are read along. */
  isWithMemories?: boolean;
}

export interface ShownRelations {
  relations: Map<string, Relation[]>;
  /** By id. Of a memory that cannot be read as a whole, another program's, this part may be here all the same. */
  ends: Map<string, EndOfEntry>;
  /** Those that exist, by id, where they are read along. */
  memories: Map<string, Memory>;
}

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
  /** As `relationsOf`, together with the memories that the edges lead to: one request to a server in place of two. */
  relationsWithEnds(request: RelationRequest): Promise<RelationsWithEnds>;
  /** The edges of memories, with as much of the memories at their other ends as entries show. */
  shownRelations(request: ShownRequest): Promise<ShownRelations>;
}
