/**
 * Leases, which are rights that only one process at a time may hold, and the name of this process in claims and leases.
 */
import { randomUUID } from 'node:crypto';
import { WAIT_HORIZON_MS } from '../../domain/time.js';
import type { Lease } from '../graph-store.js';
import type { Connection } from './connection.js';
import { encodeText, keyOf } from './values.js';
import { assignments, NO_TEXT, startOverAll, startOverParameters, WORK_FIELDS } from './work-fields.js';

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

export interface Claimant {
  /** Prefix of every claim of this process. No other process has the same prefix. */
  name: string;
  /** Prefix of the names of all processes of this owner. Only one process of an owner runs at a time. */
  owner: string | undefined;
}

export function createClaimant(owner: string | undefined): Claimant {
  return { name: owner === undefined ? randomUUID() : `${owner}.${randomUUID()}`, owner };
}

/**
 * Releases the claims and leases of earlier processes of this owner, because no earlier process can still be running.
 */
export async function reclaim(connection: Connection, { name, owner }: Claimant): Promise<void> {
  if (owner === undefined) return;
  const theirs = { owner: `${owner}.`, own: `${name}.` };
  for (const { state, token } of WORK_FIELDS) {
    const match = `MATCH (m:Memory {${state}: 'claimed'})
      WHERE m.${token} STARTS WITH $owner AND NOT m.${token} STARTS WITH $own`;
    await startOverAll(connection, match, { ...theirs, ...startOverParameters([], true) });
  }
  await connection.write(
    `MATCH (l:_Lease) WHERE l.holder STARTS WITH $owner AND NOT l.holder STARTS WITH $own
     SET ${assignments('l', { holder: NO_TEXT, until_ms: '0' })}`,
    theirs,
  );
}
