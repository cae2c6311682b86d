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

/** What is told of a memory at the other end of an edge. */
export type RelationEnd = EndOfEntry & Pick<Memory, 'archived' | 't_valid' | 't_invalid'>;

export interface RelationsWithEnds {
  relations: Map<string, Relation[]>;
  /** What stands at the other ends of these edges, by id. */
  ends: Map<string, RelationEnd>;
}

export interface MemoriesWithRelations extends RelationsWithEnds {
  /** Those that exist, by id. */
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
  /** As `relationsWithEnds`, together with the memories themselves. */
  memoriesWithRelations(request: Pick<RelationRequest, 'ids' | 'limit'>): Promise<MemoriesWithRelations>;
}
