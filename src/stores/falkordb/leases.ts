/** Leases: rights that only one process at a time may hold. */
import { WAIT_HORIZON_MS } from '../../domain/time.js';
import type { Lease } from '../graph-store.js';
import type { Claimant } from './claimant.js';
import type { Connection } from './connection.js';
import { encodeText, keyOf } from './values.js';

export async function takeLease(
  connection: Connection,
  { name, holder, nowMs, untilMs }: Lease,
  claimant: Claimant,
): Promise<boolean> {
  const rows = await connection.write(
    `MERGE (l:_Lease {name: $name})
     WITH l WHERE l.holder IS NULL OR l.holder = $holder OR l.until_ms <= $now_ms OR l.until_ms > $horizon_ms
     SET l.holder = $holder, l.until_ms = $until_ms
     RETURN l.name AS name`,
    {
      name: keyOf(name),
      holder: holderOf(holder, claimant),
      now_ms: nowMs,
      until_ms: untilMs,
      horizon_ms: nowMs + WAIT_HORIZON_MS,
    },
  );
  return rows.length > 0;
}

function holderOf(holder: string, claimant: Claimant): string {
  return encodeText(`${claimant.name}.${holder}`);
}
