/** Leases, kept as nodes of kind ConsolidationControl. */
import { toIso, WAIT_HORIZON_MS } from '../../domain/time.js';
import type { Connection } from '../database/connection.js';
import type { Lease, Leases } from '../graph-store.js';
import type { Write } from './node-store.js';
import { getNode, saveNode } from './nodes.js';

const KIND = 'ConsolidationControl';

function takeLease(connection: Connection, { name, holder, nowMs, untilMs }: Lease): boolean {
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

/** Implements the port `Leases`. Opening the file has already released the leases of an earlier owner. */
export function leaseStore(connection: Connection, write: Write): Leases {
  return {
    takeLease: lease => write(() => takeLease(connection, lease), []),
    reclaim: async () => {},
  };
}

/** Releases the leases that an earlier owner of the file held when its process ended. */
export function releaseAllLeases(connection: Connection): void {
  connection.run('DELETE FROM nodes WHERE kind = ? AND id GLOB ?', KIND, `${nodeId('')}*`);
}

/**
 * Returns the id of the node for a lease. The prefix distinguishes leases from the nodes of the same kind that
 * consolidation writes.
 */
function nodeId(name: string): string {
  return `lease:${name}`;
}
