/** Leases, kept as nodes of kind ConsolidationControl. */
import { toIso, WAIT_HORIZON_MS } from '../../domain/time.js';
import type { Connection } from '../database/connection.js';
import type { Lease } from '../ports/leases.js';
import { deleteNodes, getNode, saveNode } from './nodes.js';

const KIND = 'ConsolidationControl';

export function takeLease(connection: Connection, { name, holder, nowMs, untilMs }: Lease): boolean {
  const id = nodeId(name);
  return connection.transaction(() => {
    const current = getNode(connection, KIND, id);
    const leftMs = Number(current?.properties.until_ms) - nowMs;
    const isTaken = current && current.properties.holder !== holder && leftMs > 0 && leftMs <= WAIT_HORIZON_MS;
    if (isTaken) return false;
    saveNode(connection, { kind: KIND, id, properties: { holder, until_ms: untilMs }, updated_at: toIso(nowMs) });
    return true;
  });
}

export function releaseLease(connection: Connection, name: string, holder: string): void {
  const id = nodeId(name);
  connection.transaction(() => {
    if (getNode(connection, KIND, id)?.properties.holder === holder) deleteNodes(connection, KIND, [id]);
  });
}

/** Frees what an earlier owner of the file had leased when its process ended. */
export function releaseAllLeases(connection: Connection): void {
  connection.run('DELETE FROM nodes WHERE kind = ? AND id GLOB ?', KIND, `${nodeId('')}*`);
}

/** Beside the record that consolidation keeps of its runs, under names of their own. */
function nodeId(name: string): string {
  return `lease:${name}`;
}
