/** The first and the last line of an export, and the order of the parts between them. */
import { createHash, type Hash } from 'node:crypto';
import { canonicalJson } from '../domain/canonical-json.js';
import { isPlainObject } from '../domain/json.js';
import type { TransferPart } from '../domain/transfer.js';

export const FORMAT_VERSION = 1;

export interface ExportHeader {
  version: number;
  /** ISO 8601. */
  exported_at: string;
  /** Version of the program that wrote it. */
  engraph: string;
  /** Only records that were changed since this instant are in it. */
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

/** An edge needs both its ends, so that nodes come before the memories that lead to them. */
export const PART_ORDER: readonly TransferPart[] = ['nodes', 'memories'];

/** How far an export has come. */
export interface ExportState extends ExportCounts {
  digest: Hash;
  /** Absent before the first record. */
  last?: { part: TransferPart; after: string };
}

export function newState(): ExportState {
  return { digest: createHash('sha256'), memories: 0, relations: 0, nodes: 0 };
}

/** Takes a line, without its line break, and its record into account. */
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

/** @returns undefined for a value that is not the first line of an export of any version */
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

/** @returns undefined for a value that is not the last line of an export */
export function readEnd(value: unknown): ExportEnd | undefined {
  const end = isPlainObject(value) ? value.engraph_export_end : undefined;
  return isPlainObject(end) ? (end as unknown as ExportEnd) : undefined;
}
