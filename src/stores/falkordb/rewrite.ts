/** A changed record as the clauses that write it: shared by updates, corrections and the end of work. */
import type { Memory } from '../../domain/memory.js';
import type { WorkKind } from '../ports/work-queue.js';
import { keyOf, NONE } from './encoding.js';
import type { StoredMemory } from './memories.js';
import type { Parameters } from './parameters.js';
import { indexProperties, type Properties, recordProperties } from './records.js';
import { noteStaleVectors } from './stale-vectors.js';
import { startOver, startOverParameters } from './work-fields.js';

export interface Rewrite {
  /** For `MATCH (m:Memory {id: $id}) WHERE m.revision = $revision` and `rewriteClauses`. */
  parameters: Parameters;
  isIndexChanged: boolean;
  isVectorStale: boolean;
}

/** @param work of these kinds starts from its first attempt */
export function rewriteOf(
  { memory: before, revision }: StoredMemory,
  after: Memory,
  work: readonly WorkKind[],
): Rewrite {
  const record = changed(recordProperties(before), recordProperties(after));
  const index = changed(indexProperties(before), indexProperties(after));
  // A vector that was supplied belongs to the content it came with.
  if (before.content !== after.content) record.supplied = NONE;
  return {
    parameters: {
      id: keyOf(before.id),
      revision,
      record: { ...record, revision: revision + 1 },
      index,
      ...startOverParameters(work, true),
    },
    isIndexChanged: Object.keys(index).length > 0,
    isVectorStale: after.embedded_by !== undefined && isPayloadChanged(before, after),
  };
}

/** Clauses for the memory in `m`, whose revision has been compared. Its row stays, with `m` in it. */
export function rewriteClauses({ isIndexChanged, isVectorStale }: Rewrite): string {
  const index = isIndexChanged ? 'WITH * MATCH (i:MemoryIndex {id: $id}) SET i += $index' : '';
  const stale = isVectorStale ? `WITH *, [{id: m.id, exact_id: m.exact_id}] AS stale ${noteStaleVectors('stale')}` : '';
  return `SET m += $record ${startOver('m')} ${index} ${stale}`;
}

/** Only what differs: the server writes the index entries of a node again even for a value that is the same. */
function changed(before: Properties, after: Properties): Properties {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

/** Whether the vector store holds something of the memory, beside its vector, that is no longer so. */
function isPayloadChanged(before: Memory, after: Memory): boolean {
  return (
    JSON.stringify(before.tags) !== JSON.stringify(after.tags) ||
    Date.parse(before.timestamp) !== Date.parse(after.timestamp) ||
    before.t_valid !== after.t_valid ||
    before.t_invalid !== after.t_invalid ||
    before.archived !== after.archived
  );
}
