/**
 * Claims the pending work of memories for one process, until the lease of the claim ends
 * (docs/decisions.md, "The graph is the queue"). Also takes leases, which are rights that only one process at a time may
 * hold.
 */
import { randomUUID } from 'node:crypto';
import { WAIT_HORIZON_MS } from '../../domain/time.js';
import type { Lease } from '../graph-store.js';
import type { ClaimRequest, WorkClaim, WorkKind } from '../ports/work-queue.js';
import { type Connection, NODES_MAX } from './connection.js';
import { isOurs, memoryOf, type RecordRow, recordOf } from './record.js';
import { decodeVector, encodeText, keyOf, keysOf, NONE, type Parameters } from './values.js';
import {
  assignments,
  HELD_MS,
  NO_TEXT,
  requeueAll,
  requeueClauses,
  requeueParameters,
  WORK_FIELDS,
  workFields,
} from './work-fields.js';

interface ClaimedRow {
  record: RecordRow;
  supplied: string;
  attempt: number;
}

/**
 * Chooses memories first, and then claims them by id. A restarting server may replay its log of statements, and each
 * statement must then have the same effect. A statement that chose the memories itself could claim other memories in
 * the replay, because the order of an index may change.
 */
export async function claimWork(
  connection: Connection,
  request: ClaimRequest,
  claimant: Claimant,
): Promise<WorkClaim[]> {
  const { kind, limit, ids } = request;
  const nonce = `${claimant.name}.${randomUUID()}`;
  const toClaim = ({ record, supplied, attempt }: ClaimedRow): WorkClaim[] => {
    const memory = memoryOf(record);
    // Another program has made the node unreadable.
    if (!memory) return [];
    const embedding = supplied === NONE ? {} : { embedding: decodeVector(supplied) };
    return [{ memory, ...embedding, attempt, token: `${kind}/${memory.id}/${nonce}` }];
  };
  if (ids) {
    if (ids.length === 0) return [];
    const guard = `WHERE ${isOurs('m')} ${requeueClauses('m')} WITH m`;
    const taking = { nonce, ids: keysOf(ids), guard, parameters: requeueParameters([kind], false) };
    return (await take(connection, request, taking)).flatMap(toClaim);
  }
  const { due } = workFields(kind);
  const isReady = request.isHeld ? `m.${due} = ${HELD_MS}` : `m.${due} <= $now_ms`;
  const taking = { nonce, guard: `WHERE ${isReady} WITH m`, parameters: { now_ms: request.nowMs } };
  const claims: WorkClaim[] = [];
  while (claims.length < limit) {
    const ready = await readyWork(connection, { ...request, limit: limit - claims.length }, isReady);
    if (ready.length === 0) break;
    claims.push(...(await take(connection, request, { ...taking, ids: ready })).flatMap(toClaim));
  }
  return claims;
}

/** Returns the keys of the memories whose work meets the condition, oldest first. */
async function readyWork(
  connection: Connection,
  { kind, nowMs, limit }: ClaimRequest,
  isReady: string,
): Promise<string[]> {
  const { due } = workFields(kind);
  const rows = await connection.read<{ id: string }>(
    `MATCH (m:Memory) WHERE ${isReady} WITH m LIMIT $sorted
     RETURN m.id AS id ORDER BY m.${due}, ID(m) LIMIT $limit`,
    // More entries are sorted than returned, because the index returns work only almost in order.
    { now_ms: nowMs, sorted: Math.max(NODES_MAX, limit), limit },
  );
  return rows.map(({ id }) => id);
}

interface Taking {
  nonce: string;
  /** The ids of the memories, in the form that `keyOf` returns. */
  ids: readonly string[];
  /** Clauses after the `MATCH` for the memory `m`, which decide whether the memory is claimed. */
  guard: string;
  parameters: Parameters;
}

/**
 * Claims the memories, and returns them in the order of the ids. Leaves out memories that other processes have claimed
 * in the meantime.
 */
async function take(
  connection: Connection,
  { kind, nowMs, leaseMs }: ClaimRequest,
  { nonce, ids, guard, parameters }: Taking,
): Promise<ClaimedRow[]> {
  const { due, token, state, attempts } = workFields(kind);
  const rows = await connection.write<ClaimedRow>(
    `UNWIND $ids AS id MATCH (m:Memory {id: id}) ${guard}
     SET ${assignments('m', {
       [due]: '$lease_until_ms',
       [token]: '$nonce',
       [state]: "'claimed'",
       [attempts]: `m.${attempts} + 1`,
     })}
     RETURN ${recordOf('m')} AS record, m._supplied AS supplied, m.${attempts} AS attempt`,
    { ...parameters, ids, lease_until_ms: nowMs + leaseMs, nonce },
  );
  const byKey = new Map(rows.map(row => [row.record[0], row]));
  return ids.flatMap(id => byKey.get(id) ?? []);
}

/** A token and its parts. */
export interface Claim {
  token: string;
  kind: WorkKind;
  /** Key of the memory. */
  id: string;
  nonce: string;
}

/** Returns the claims that tokens name, by kind; ignores texts that are not tokens. */
export function claimsOf(tokens: readonly string[]): Map<WorkKind, Claim[]> {
  const claims = new Map<WorkKind, Claim[]>();
  for (const token of tokens) {
    const claim = parseToken(token);
    if (claim) claims.set(claim.kind, [...(claims.get(claim.kind) ?? []), claim]);
  }
  return claims;
}

export function parseToken(token: string): Claim | undefined {
  const match = /^(embed|enrich)\/([\s\S]*)\/([^/]+)$/.exec(token);
  if (!match) return undefined;
  const [, kind, id = '', nonce = ''] = match;
  return { token, kind: kind as WorkKind, id: keyOf(id), nonce: encodeText(nonce) };
}

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
    await requeueAll(connection, match, { ...theirs, ...requeueParameters([], true) });
  }
  await connection.write(
    `MATCH (l:_Lease) WHERE l.holder STARTS WITH $owner AND NOT l.holder STARTS WITH $own
     SET ${assignments('l', { holder: NO_TEXT, until_ms: '0' })}`,
    theirs,
  );
}
