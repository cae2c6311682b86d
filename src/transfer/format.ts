/** The first and the last line of an export, and the order of the parts between them. */
import { createHash, type Hash } from 'node:crypto';
import { canonicalJson } from '../domain/canonical-json.js';
import { isPlainObject } from '../domain/json.js';
import type { TransferPart } from '../domain/transfer.js';

export interface ExportHeader {
  version: number;
  /** ISO 8601. */
  exported_at: string;
  /** Version of Engraph that wrote the export. */
  engraph: string;
  /** The export contains only records that have changed since this instant; if absent, all records. */
  since?: string;
}

export interface ExportCounts {
  memories: number;
  relations: number;
  nodes: number;
}

export interface ExportEnd extends ExportCounts {
  /** SHA-256 over all lines between the first and the last, each with its line break. */
  sha256: string;
}

/** Nodes come before memories, because an edge from a memory to a node can only be stored when both exist. */
export const PART_ORDER: readonly TransferPart[] = ['nodes', 'memories'];

/** Progress of an export. */
export interface ExportState extends ExportCounts {
  digest: Hash;
  /** The last record that was written; absent before the first record. */
  last?: { part: TransferPart; after: string };
}

export function newState(): ExportState {
  return { digest: createHash('sha256'), memories: 0, relations: 0, nodes: 0 };
}

/**
 * Adds a record to the counts, and its line to the digest.
 *
 * @param text the line without its line break
 */
export function noteRecord(state: ExportState, text: string, record: unknown): void {
  state.digest.update(text).update('\n');
  const { memory, node, relations } = record as {
    memory?: { id: string };
    node?: { kind: string; id: string };
    relations?: unknown[];
  };
  if (memory) {
    state.memories += 1;
    state.relations += relations?.length ?? 0;
    state.last = { part: 'memories', after: memory.id };
  } else if (node) {
    state.nodes += 1;
    state.last = { part: 'nodes', after: `${node.kind}/${node.id}` };
  }
}

export function headerLine(header: ExportHeader): string {
  return canonicalJson({ engraph_export: header });
}

export function endLine({ memories, relations, nodes, digest }: ExportState): string {
  return canonicalJson({ engraph_export_end: { memories, relations, nodes, sha256: digest.copy().digest('hex') } });
}

/**
 * Reads the first line of an export in any version of the format.
 *
 * @returns undefined when the value is not such a line
 */
export function readHeader(value: unknown): ExportHeader | undefined {
  const header = isPlainObject(value) ? value.engraph_export : undefined;
  if (!isPlainObject(header) || typeof header.version !== 'number') return undefined;
  const { version, exported_at, engraph, since } = header;
  return {
    version,
    exported_at: String(exported_at),
    engraph: String(engraph),
    ...(typeof since === 'string' && { since }),
  };
}

/** @returns undefined when the value is not the last line of an export */
export function readEnd(value: unknown): ExportEnd | undefined {
  const end = isPlainObject(value) ? value.engraph_export_end : undefined;
  return isPlainObject(end) ? (end as unknown as ExportEnd) : undefined;
}
