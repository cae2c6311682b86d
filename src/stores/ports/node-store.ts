/** Nodes beside memories, and the edges that lead to them (docs/decisions.md, "Nodes beside memories"). */
import type { Metadata } from '../../domain/json.js';
import type { PageRequest } from './memory-store.js';

/** Kinds of node that never appear among memories (docs/decisions.md, "Nodes beside memories"). */
export const NODE_KINDS = [
  'Pattern',
  'MetaMemory',
  'ConsolidationControl',
  'ConsolidationRun',
  'ConsolidationChanges',
  'ConsolidationProposal',
  'DeletedMemory',
  'HookSession',
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

/** Those that edges join with memories. */
export type LinkedKind = Extract<NodeKind, 'Pattern' | 'MetaMemory'>;

export interface AuxiliaryNode {
  kind: NodeKind;
  id: string;
  properties: Metadata;
  updated_at: string;
}

/**
 * An edge between a memory and a node of another kind: EXEMPLIFIES from the memory to a Pattern, SUMMARIZES from a
 * MetaMemory to the memory. `relations` leave it out.
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
  saveNode(node: AuxiliaryNode): Promise<void>;
  getNode(kind: NodeKind, id: string): Promise<AuxiliaryNode | undefined>;
  /** Most recently updated first. */
  listNodes(kind: NodeKind, limit: number): Promise<AuxiliaryNode[]>;
  readNodes(kind: NodeKind, page: PageRequest): Promise<AuxiliaryNode[]>;
  /** @param state counts only those whose property `state` is this */
  countNodes(kind: NodeKind, state?: string): Promise<number>;
  deleteNodes(kind: NodeKind, ids: readonly string[]): Promise<void>;
  /** Writes the edge between a memory and such a node, replacing the one there was; it ends with either. */
  linkNode(link: NodeLink): Promise<void>;
  /**
   * Joins the node with these memories, at full confidence, and with no others. Ids of memories that do not exist are passed
   * over. Nothing happens where the node does not exist.
   */
  relinkNode(node: Pick<NodeLink, 'kind' | 'nodeId' | 'updated_at'>, memoryIds: readonly string[]): Promise<void>;
  /** Edges between these memories and such nodes, in no order. */
  linksOf(ids: readonly string[]): Promise<NodeLink[]>;
  /** How many memories have an edge to a node, but for one; counts no further than `max`. */
  countNodeLinks(kind: LinkedKind, id: string, bounds: { exceptId: string; max: number }): Promise<number>;
}
