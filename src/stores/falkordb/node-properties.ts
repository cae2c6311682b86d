/** Writes nodes other than memories as properties that other programs can read. */
import type { Metadata } from '../../domain/json.js';
import { parseIso, toIso } from '../../domain/time.js';
import type { AuxiliaryNode, NodeKind } from '../ports/node-store.js';
import { decodeText, identityOf, idRank } from './encoding.js';
import { isPlainName, type Value } from './parameters.js';
import { exactFormOf, propertyForm, readExact, restored } from './public-form.js';

/** Names of the node's own fields, which do not belong to its `properties`. */
const NOT_PROPERTIES = new Set(['id', 'updated_at']);
/** Properties in which AutoMem records the last write of a node. The first property with a valid time counts. */
const WRITTEN_AT = ['updated_at', 'completed_at', 'started_at', 'timestamp', 'created_at'];

export interface NodeRow {
  id: string;
  properties: Record<string, unknown>;
}

/** Returns the columns that `nodeOf` reads. */
export function nodeColumns(alias: string): string {
  return `coalesce(${alias}._exact_id, ${alias}.id) AS id, properties(${alias}) AS properties`;
}

export function nodeProperties({ id, properties, updated_at }: AuxiliaryNode): Record<string, Value> {
  const readable = Object.entries(properties).flatMap(([name, value]): [string, Value][] => {
    const form = isPublic(name) ? propertyForm(name, value) : undefined;
    return form === undefined ? [] : [[name, form]];
  });
  const isKept = Object.keys(properties).every(isPublic) && exactFormOf(properties) === undefined;
  return {
    ...Object.fromEntries(readable),
    ...identityOf(id),
    updated_at,
    _exact: isKept ? '' : JSON.stringify(properties),
    ...rankProperties(id, Date.parse(updated_at)),
  };
}

/**
 * Returns the properties by which nodes of a kind are walked and listed. The label alone does not suffice, because
 * AutoMem's cluster summaries also have the label of memories.
 */
export function rankProperties(id: string, updatedMs: number) {
  return { _node_rank: idRank(id), _updated_ms: updatedMs };
}

export function nodeOf(kind: NodeKind, { id, properties }: NodeRow): AuxiliaryNode {
  const read = Object.fromEntries(Object.entries(properties).filter(([name]) => isPublic(name))) as Metadata;
  return {
    kind,
    id: decodeText(id),
    properties: restored(read, readExact(properties._exact), isPublic) as Metadata,
    updated_at: toIso(writtenMs(properties)),
  };
}

/** Returns the time at which a node was last written; 0 if no property of the node records that time. */
export function writtenMs(properties: Readonly<Record<string, unknown>>): number {
  for (const name of WRITTEN_AT) {
    const value = properties[name];
    const ms = typeof value === 'string' ? parseIso(value) : undefined;
    if (ms !== undefined) return ms;
  }
  return 0;
}

function isPublic(name: string): boolean {
  return isPlainName(name) && !name.startsWith('_') && !NOT_PROPERTIES.has(name);
}
