/**
 * Stores nodes other than memories, and the edges between these nodes and memories
 * (docs/decisions.md, "Nodes beside memories").
 */
import type { Metadata } from '../../domain/json.js';
import type { PageRequest } from './memory-store.js';

/** Kinds of node that never appear as memories (docs/decisions.md, "Nodes beside memories"). */
export const NODE_KINDS = [
  'Pattern',
  'MetaMemory',
  'ConsolidationControl',
  'ConsolidationRun',
  'ConsolidationChanges',
  'ConsolidationProposal',
  'DeletedMemory',
  'HookSession',
  'MemoryHistory',
  'ProjectAlias',
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

/** Kinds of node that have edges to or from memories. */
export type LinkedKind = Extract<NodeKind, 'Pattern' | 'MetaMemory'>;

export interface AuxiliaryNode {
  kind: NodeKind;
  id: string;
  properties: Metadata;
  updated_at: string;
}

/**
 * An edge between a memory and a node of another kind: EXEMPLIFIES from the memory to a Pattern, SUMMARIZES from a
 * MetaMemory to the memory. The field `relations` does not show these edges.
 */
export interface NodeLink {
  memoryId: string;
  kind: LinkedKind;
  nodeId: string;
  /** 0..1 */
  confidence: number;
  updated_at: string;
}

export interface NodeStore {
  /**
   * @param memberIds if given, connects a node of a `LinkedKind` with exactly these memories, at full confidence, and
   * removes its other edges. Ids of memories that do not exist are ignored
   */
  saveNode(node: AuxiliaryNode, memberIds?: readonly string[]): Promise<void>;
  getNode(kind: NodeKind, id: string): Promise<AuxiliaryNode | undefined>;
  /** Returns nodes of a kind, the most recently updated first. */
  listNodes(kind: NodeKind, limit: number): Promise<AuxiliaryNode[]>;
  readNodes(kind: NodeKind, page: PageRequest): Promise<AuxiliaryNode[]>;
  /** @param state counts only nodes whose property `state` has this value */
  countNodes(kind: NodeKind, state?: string): Promise<number>;
  deleteNodes(kind: NodeKind, ids: readonly string[]): Promise<void>;
  /**
   * Writes the edge between a memory and a node, and replaces an existing edge. Deleting the memory or the node deletes
   * the edge.
   */
  linkNode(link: NodeLink): Promise<void>;
  /** Returns the edges between these memories and nodes of the kinds in `LinkedKind`, in no particular order. */
  linksOf(ids: readonly string[]): Promise<NodeLink[]>;
  /** Counts the memories with an edge to the node, without the memory `exceptId`. Stops counting at `max`. */
  countNodeLinks(kind: LinkedKind, id: string, bounds: { exceptId: string; max: number }): Promise<number>;
}
