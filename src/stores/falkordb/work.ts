/** The durable queue. It changes, counts and lists pending work (docs/decisions.md, "The graph is the queue"). */
import type { MemoryFilter } from '../../domain/filter.js';
import type { WorkCounts, WorkKind, WorkOutcome, WorkRelease } from '../ports/work-queue.js';
import { type Claim, claimsOf, parseToken } from './claims.js';
import { type Connection, NODES_MAX } from './connection.js';
import { selectionOf } from './index-node.js';
import { rewriteClauses, rewriteOf, untilWritten, WRITE_CONFLICT } from './memories.js';
import { linkClauses, linkParameters, mergeNode, nodeProperties } from './nodes.js';
import { isOurs, modelProperties, type StoredRow, storedColumns, storedOf } from './record.js';
import { edgeWrites, typeOf } from './relations.js';
import { decodeText, encodeText, idIn, keysOf, type Parameters } from './values.js';
import {
  assignments,
  DUE_NOW_MS,
  freeEnrichment,
  HALF_DONE_MS,
  NEVER_MS,
  NO_TEXT,
  requeueClauses,
  requeueParameters,
  settled,
  type WorkFields,
  workFields,
} from './work-fields.js';

export async function renewWork(
  connection: Connection,
  tokens: readonly string[],
  leaseUntilMs: number,
): Promise<string[]> {
  return forEachClaim(connection, tokens, {
    set: ({ due }) => ({ [due]: '$lease_until_ms' }),
    parameters: { lease_until_ms: leaseUntilMs },
  });
}

export async function settleWork(
  connection: Connection,
  tokens: readonly string[],
  embeddedBy: string | undefined,
): Promise<string[]> {
  const isModelKnown = embeddedBy !== undefined;
  return forEachClaim(connection, tokens, {
    set: fields => ({
      ...settled('m', fields),
      ...(isModelKnown && { _embedded_by: '$_embedded_by', _model: '$_model', _revision: 'm._revision + 1' }),
    }),
    parameters: isModelKnown ? modelProperties(embeddedBy) : {},
  });
}

export async function releaseWork(
  connection: Connection,
  tokens: readonly string[],
  { dueMs, error }: WorkRelease,
): Promise<void> {
  const isForGood = dueMs === null;
  await forEachClaim(connection, tokens, {
    set: ({ kind, state, due, token, attempts, error: errorField }) => ({
      [state]: isForGood ? "'failed'" : "'pending'",
      [due]: '$due_ms',
      [token]: NO_TEXT,
      ...(error === undefined ? { [attempts]: `m.${attempts} - 1` } : { [errorField]: '$error' }),
      ...(isForGood && kind === 'embed' && freeEnrichment('m')),
    }),
    parameters: { due_ms: dueMs ?? NEVER_MS, ...(error !== undefined && { error: encodeText(error) }) },
  });
}

export async function workCounts(connection: Connection, kind: WorkKind): Promise<WorkCounts> {
  const rows = await connection.read<{ state: string; count: number }>(
    `UNWIND ['pending', 'claimed', 'failed'] AS state MATCH (m:Memory {${workFields(kind).state}: state})
     RETURN state, count(m) AS count`,
  );
  const counts = new Map(rows.map(({ state, count }) => [state, count]));
  return {
    pending: counts.get('pending') ?? 0,
    inFlight: counts.get('claimed') ?? 0,
    failed: counts.get('failed') ?? 0,
  };
}

/** Searches a limited number of waiting memories, so that recalls stay fast while many memories wait for work. */
export async function listWaiting(
  connection: Connection,
  { kind, filter, limit }: { kind: WorkKind; filter: MemoryFilter; limit: number },
): Promise<string[]> {
  const { conditions, parameters } = selectionOf(filter);
  const rows = await connection.read<{ id: string }>(
    `UNWIND ['pending', 'claimed', 'failed'] AS state MATCH (m:Memory {${workFields(kind).state}: state})
     WITH m LIMIT ${NODES_MAX} MATCH (i:_MemoryIndex {id: m.id}) WHERE ${conditions}
     RETURN ${idIn('i')} AS id LIMIT $limit`,
    { ...parameters, limit },
  );
  return rows.map(({ id }) => decodeText(id));
}

/** Returns when work is next due. Of the work that is due at once, only one memory is read. */
export async function nextWorkDueMs(connection: Connection, kind: WorkKind): Promise<number | undefined> {
  const due = `m.${workFields(kind).due}`;
  const rows = await connection.read<{ due_ms: number | null }>(
    `MATCH (m:Memory) WHERE ${due} <= ${DUE_NOW_MS} RETURN 0 AS due_ms LIMIT 1
     UNION ALL
     MATCH (m:Memory) WHERE ${due} > ${DUE_NOW_MS} AND ${due} < ${HALF_DONE_MS} RETURN min(${due}) AS due_ms`,
  );
  return rows.find(({ due_ms }) => due_ms !== null)?.due_ms ?? undefined;
}

export async function requeue(connection: Connection, kind: WorkKind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.write(`UNWIND $ids AS id MATCH (m:Memory {id: id}) WHERE ${isOurs('m')} ${requeueClauses('m')}`, {
    ids: keysOf(ids),
    ...requeueParameters([kind], false),
  });
}

/** Chooses memories first and then writes by id, so that each statement has the same effect when it is replayed. */
export async function makeWorkDue(connection: Connection, kind: WorkKind, laterThanMs: number): Promise<void> {
  const { due, token } = workFields(kind);
  const isLater = `m.${due} > $later_than_ms AND m.${due} < ${HALF_DONE_MS} AND m.${token} = ${NO_TEXT}`;
  const parameters = { later_than_ms: laterThanMs };
  for (;;) {
    const rows = await connection.read<{ id: string }>(
      `MATCH (m:Memory) WHERE ${isLater} RETURN m.id AS id LIMIT ${NODES_MAX}`,
      parameters,
    );
    if (rows.length === 0) return;
    await connection.write(
      `UNWIND $ids AS id MATCH (m:Memory {id: id}) WHERE ${isLater} SET m.${due} = ${DUE_NOW_MS}`,
      { ...parameters, ids: rows.map(({ id }) => id) },
    );
  }
}

interface ClaimChange {
  set(fields: WorkFields): Record<string, string>;
  parameters: Parameters;
}

/**
 * Changes each memory whose claim is still valid, with one write for each kind of work; returns the tokens of these
 * claims.
 */
async function forEachClaim(
  connection: Connection,
  tokens: readonly string[],
  { set, parameters }: ClaimChange,
): Promise<string[]> {
  const valid = new Set<string>();
  // Use each token once, because a statement that sets a node twice corrupts the server's RAM (FalkorDB issue 1885).
  for (const [kind, claims] of claimsOf([...new Set(tokens)])) {
    const fields = workFields(kind);
    const rows = await connection.write<{ position: number }>(
      `UNWIND $claims AS claim MATCH (m:Memory {id: claim.id}) WHERE m.${fields.token} = claim.nonce
       SET ${assignments('m', set(fields))}
       RETURN claim.position AS position`,
      { ...parameters, claims: claims.map(positioned) },
    );
    for (const { position } of rows) valid.add(claims[position]?.token ?? '');
  }
  return tokens.filter(token => valid.has(token));
}

function positioned({ id, nonce }: Claim, position: number) {
  return { id, nonce, position };
}

export function completeWork(connection: Connection, token: string, outcome: WorkOutcome): Promise<boolean> {
  const claim = parseToken(token);
  if (!claim) return Promise.resolve(false);
  return untilWritten(async () => {
    const stored = await readClaimed(connection, claim);
    if (!stored) return false;
    const rewrite = rewriteOf(stored, { memory: outcome.change(stored.memory), work: [] });
    const { clauses, parameters } = outcomeWrites(outcome);
    const fields = workFields(claim.kind);
    const rows = await connection.write(
      `MATCH (m:Memory {id: $id}) WHERE m._revision = $revision AND m.${fields.token} = $nonce
       SET ${assignments('m', settled('m', fields))}
       WITH m
       ${rewriteClauses(rewrite)}
       WITH m
       ${clauses}
       RETURN 1 AS written`,
      { ...rewrite.parameters, ...parameters, nonce: claim.nonce },
    );
    return rows.length > 0 ? true : WRITE_CONFLICT;
  });
}

async function readClaimed(connection: Connection, { kind, id, nonce }: Claim) {
  const [row] = await connection.read<StoredRow>(
    `MATCH (m:Memory {id: $id}) WHERE m.${workFields(kind).token} = $nonce RETURN ${storedColumns('m')}`,
    { id, nonce },
  );
  return row && storedOf(row);
}

/** Builds subqueries for the memory in `m`. Each subquery keeps the row of `m`. */
function outcomeWrites({ edges, patterns }: WorkOutcome): { clauses: string; parameters: Parameters } {
  const written = edgeWrites(edges?.relations ?? []);
  const nodes = new Map(patterns?.nodes.map(node => [node.id, nodeProperties(node)]));
  return {
    clauses: [
      edges && edges.types.length > 0 ? removeOutgoing(edges.types.map(typeOf).join('|'), 'Memory') : '',
      written.clauses,
      patterns ? PATTERN_WRITES : '',
    ].join('\n'),
    parameters: {
      ...written.parameters,
      ...(patterns && { nodes: [...nodes.values()], links: patterns.links.map(linkParameters) }),
    },
  };
}

function removeOutgoing(types: string, label: 'Memory' | 'Pattern'): string {
  return `CALL { WITH m OPTIONAL MATCH (m)-[r:${types}]->(:${label}) DELETE r RETURN count(r) AS removed_${label} }`;
}

const PATTERN_WRITES = `${removeOutgoing('EXEMPLIFIES', 'Pattern')}
  CALL { UNWIND $nodes AS node ${mergeNode('Pattern', 'node')} RETURN count(n) AS saved }
  CALL { UNWIND $links AS link ${linkClauses('Pattern', 'link')} RETURN count(r) AS linked }`;
