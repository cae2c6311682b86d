/**
 * Gives this process its name in claims and leases. Releases the claims and leases of earlier processes with the same
 * `owner`.
 */
import { randomUUID } from 'node:crypto';
import type { Connection } from './connection.js';
import { startOverAll } from './requeue-outdated.js';
import { assignments, NO_TEXT, startOverParameters, WORK_FIELDS } from './work-fields.js';

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
