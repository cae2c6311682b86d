/** Edges between memories. */
import type { Memory } from '../../domain/memory.js';
import type { Relation, RelationType } from '../../domain/relation.js';

export interface RelationRequest {
  ids: readonly string[];
  /** Maximum number of edges for each memory. */
  limit: number;
  minStrength?: number;
  /** Only edges of these types; all types if absent. */
  types?: readonly RelationType[];
  /** Only edges that start at the memory. */
  isOutgoingOnly?: boolean;
}

/** The fields that identify an edge. */
export type RelationKey = Pick<Relation, 'from' | 'to' | 'type'>;

export interface RelationsWithEnds {
  relations: Map<string, Relation[]>;
  /** The memories to which the edges in `relations` lead, by id. */
  ends: Map<string, Memory>;
  /** Those memories with the given ids that exist, by id; empty unless `isWithMemories` is true. */
  memories: Map<string, Memory>;
}

export interface RequestWithEnds extends RelationRequest {
  /** Whether the memories with the given ids are read too. */
  isWithMemories?: boolean;
}

export interface EdgeStore {
  /**
   * Writes edges, and replaces existing edges with the same (from, type, to).
   *
   * @returns for each edge whether both memories exist; otherwise the edge is not written
   */
  saveRelations(relations: readonly Relation[]): Promise<boolean[]>;
  /** Removes edges; ignores edges that do not exist. */
  removeRelations(edges: readonly RelationKey[]): Promise<void>;
  /** Counts the edges that each memory has with other memories, in both directions; 0 for a memory without edges. */
  countRelations(ids: readonly string[]): Promise<Map<string, number>>;
  /**
   * Returns the edges of each memory: authored edges before system edges, then the strongest first, then the newest.
   */
  relationsOf(request: RelationRequest): Promise<Map<string, Relation[]>>;
  /** Returns the edges of `relationsOf` and the connected memories, with one request to a server instead of two. */
  relationsWithEnds(request: RequestWithEnds): Promise<RelationsWithEnds>;
}
