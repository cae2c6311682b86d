/**
 * Builds the clauses that write a changed record. Updates, corrections, repairs and the end of work use the same
 * clauses.
 */

import { hasSamePayload } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { WorkKind } from '../ports/work-queue.js';
import { identityOf, keyOf, NONE } from './encoding.js';
import { indexChanges, indexedAs, indexProperties, isContentIndexed } from './index-node.js';
import { modelProperties } from './models.js';
import { Float, type Parameters, type Value } from './parameters.js';
import type { StoredMemory } from './read-record.js';
import { type Properties, recordProperties } from './records.js';
import { noteStaleVectors } from './stale-vectors.js';
import { startOver, startOverParameters } from './work-fields.js';

export interface Rewrite {
  /** Parameters for `MATCH (m:Memory {id: $id}) WHERE m._revision = $revision` and `rewriteClauses`. */
  parameters: Parameters;
  /** Properties that the record no longer has. */
  removed: readonly string[];
  /**
   * Which properties of the index node are written. `whole` means all, because the node may be missing or may belong to
   * another version of the record.
   */
  index: 'same' | 'changed' | 'whole';
  isVectorStale: boolean;
}

/**
 * Plans the writes that replace a record. If another program has changed the record, the index is rewritten too, and
 * new content is embedded and enriched.
 *
 * @param work kinds of work that start again from the first attempt
 */
export function rewriteOf(stored: StoredMemory, after: Memory, work: readonly WorkKind[]): Rewrite {
  const { memory: before, revision, indexedAs: indexed } = stored;
  const isInStep = stored.hasIndex && indexed === indexedAs(before);
  const isContentKnown = isInStep || isContentIndexed(before, indexed);
  const wasReplaced = before.content !== after.content;
  const next = recordProperties(after);
  const { set, removed } = changes(recordProperties(before), next);
  const index = isInStep ? indexChanges(before, after) : indexProperties(after);
  const record: Record<string, Value> = {
    ...set,
    ...(!isInStep && { tag_prefixes: next.tag_prefixes ?? [], _indexed_as: next._indexed_as ?? NONE }),
    ...(!isContentKnown && modelProperties(wasReplaced ? after.embedded_by : undefined)),
    // A supplied vector is removed when the content may be new, because it belongs to the old content.
    ...((wasReplaced || !isContentKnown) && { _supplied: NONE }),
    _revision: revision + 1,
  };
  return {
    parameters: {
      id: keyOf(before.id),
      revision,
      record,
      index: isInStep ? index : { ...identityOf(before.id), ...index },
      ...startOverParameters(isContentKnown || wasReplaced ? work : ['embed', 'enrich'], true),
    },
    removed,
    index: !isInStep ? 'whole' : Object.keys(index).length > 0 ? 'changed' : 'same',
    isVectorStale: after.embedded_by !== undefined && (!isInStep || !hasSamePayload(before, after)),
  };
}

/**
 * Returns clauses that rewrite the memory in `m`. An earlier clause must have compared the revision. Later clauses can
 * still use the row and `m`. Each property is removed by its own clause. A clause that removed several properties, or
 * also set properties, would remove properties that the clause does not name (FalkorDB issue 1787).
 */
export function rewriteClauses({ removed, index, isVectorStale }: Rewrite): string {
  const removals = removed.map(name => `REMOVE m.${name} WITH m`).join(' ');
  const stale = isVectorStale
    ? `WITH *, [{id: m.id, _exact_id: m._exact_id}] AS stale ${noteStaleVectors('stale')}`
    : '';
  return `${removals} SET m += $record ${startOver('m')} ${INDEX_CLAUSES[index]} ${stale}`;
}

const INDEX_CLAUSES: Record<Rewrite['index'], string> = {
  same: '',
  changed: 'WITH * MATCH (i:_MemoryIndex {id: $id}) SET i += $index',
  whole: 'WITH * MERGE (i:_MemoryIndex {id: $id}) SET i += $index',
};

/**
 * Returns only the differences, so that concurrent changes of other programs are kept, and unchanged index entries
 * are not rewritten.
 */
function changes(before: Properties, after: Properties): { set: Record<string, Value>; removed: string[] } {
  return {
    set: Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value))),
    removed: Object.keys(before).filter(name => !(name in after)),
  };
}

function isSame(a: Value | undefined, b: Value): boolean {
  if (a === b) return true;
  if (a instanceof Float && b instanceof Float) return a.value === b.value;
  return typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b);
}
