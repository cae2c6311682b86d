/** Who claims work and takes leases, and what becomes of those of a process that has ended. */
import { randomUUID } from 'node:crypto';
import type { Connection } from './connection.js';
import { assignments, NO_TEXT, startOver, startOverParameters, WORK_FIELDS } from './work-fields.js';

export interface Claimant {
  /** Begins every claim of this process; no other process has the same. */
  name: string;
  /** Begins the names of all processes of this owner, one after the other. */
  owner: string | undefined;
}

/** Nodes that one statement writes. */
const STEP = 1_000;

export function createClaimant(owner: string | undefined): Claimant {
  return { name: owner === undefined ? randomUUID() : `${owner}.${randomUUID()}`, owner };
}

/** Frees the claims and leases of earlier processes of this owner: none of them can be running. */
export async function reclaim(connection: Connection, { name, owner }: Claimant): Promise<void> {
  if (owner === undefined) return;
  const theirs = { owner: `${owner}.`, own: `${name}.` };
  for (const { state, token } of WORK_FIELDS) {
    for (;;) {
      const [row] = await connection.write<{ count: number }>(
        `MATCH (m:Memory {${state}: 'claimed'})
         WHERE m.${token} STARTS WITH $owner AND NOT m.${token} STARTS WITH $own
         WITH m LIMIT ${STEP}
         ${startOver('m')}
         RETURN count(m) AS count`,
        { ...theirs, ...startOverParameters([], true) },
      );
      if ((row?.count ?? 0) < STEP) break;
    }
  }
  await connection.write(
    `MATCH (l:_Lease) WHERE l.holder STARTS WITH $owner AND NOT l.holder STARTS WITH $own
     SET ${assignments('l', { holder: NO_TEXT, until_ms: '0' })}`,
    theirs,
  );
}
