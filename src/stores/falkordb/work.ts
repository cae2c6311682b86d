/** The durable queue. It changes, counts and lists pending work (docs/decisions.md, "The graph is the queue"). */
import type { MemoryFilter } from '../../domain/filter.js';
import type { AuxiliaryNode, NodeLink } from '../ports/node-store.js';
import type { WorkCounts, WorkKind, WorkOutcome, WorkRelease } from '../ports/work-queue.js';
import { type Claim, claimsOf, parseToken } from './claims.js';
import type { Connection } from './connection.js';
import { rewriteClauses, rewriteOf, untilWritten, WRITE_CONFLICT } from './memories.js';
import { labelOf, linkParameters, mergeNode, nodeProperties } from './nodes.js';
import { isOurs, modelProperties, type StoredRow, storedColumns, storedOf } from './record.js';
import { edgeWrites, typeOf } from './relations.js';
import { selectionOf } from './selection.js';
import { decodeText, encodeText, idIn, keysOf, type Parameters } from './values.js';
import {
  assignments,
  DUE_NOW_MS,
  freeEnrichment,
  HALF_DONE_MS,
  NEVER_MS,
  NO_TEXT,
  settled,
  startOver,
  startOverParameters,
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

/**
 * Maximum number of waiting memories that a recall searches. The limit keeps recalls fast while many memories wait for
 * work.
 */
const SEARCHED_MAX = 2_000;

export async function listWaiting(
  connection: Connection,
  { kind, filter, limit }: { kind: WorkKind; filter: MemoryFilter; limit: number },
): Promise<string[]> {
  const { conditions, parameters } = selectionOf(filter);
  const rows = await connection.read<{ id: string }>(
    `UNWIND ['pending', 'claimed', 'failed'] AS state MATCH (m:Memory {${workFields(kind).state}: state})
     WITH m LIMIT ${SEARCHED_MAX} MATCH (i:_MemoryIndex {id: m.id}) WHERE ${conditions}
     RETURN ${idIn('i')} AS id LIMIT $limit`,
    { ...parameters, limit },
  );
  return rows.map(({ id }) => decodeText(id));
}

/** Returns when work is next due. Of the work that is due at once, only one memory is read. */
export async function nextWorkDueMs(connection: Connection, kind: WorkKind): Promise<number | undefined> {
  const due = `m.${workFields(kind).due}`;
  const rows = await connection.read<{ due_ms: number | null }>(
    `MATCH (m:Memory) WHERE ${due} <= ${DUE_NOW_MS} RETURN ${due} AS due_ms LIMIT 1
     UNION ALL
     MATCH (m:Memory) WHERE ${due} > ${DUE_NOW_MS} AND ${due} < ${HALF_DONE_MS} RETURN min(${due}) AS due_ms`,
  );
  return rows.find(({ due_ms }) => due_ms !== null)?.due_ms ?? undefined;
}

export async function requeue(connection: Connection, kind: WorkKind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.write(`UNWIND $ids AS id MATCH (m:Memory {id: id}) WHERE ${isOurs('m')} ${startOver('m')}`, {
    ids: keysOf(ids),
    ...startOverParameters([kind], false),
  });
}

/** Number of memories that one statement brings forward. */
const BROUGHT_FORWARD_STEP = 1_000;

/** Chooses memories first and then writes by id, so that each statement has the same effect when it is replayed. */
export async function makeWorkDue(connection: Connection, kind: WorkKind, laterThanMs: number): Promise<void> {
  const { due, token } = workFields(kind);
  const isLater = `m.${due} > $later_than_ms AND m.${due} < ${HALF_DONE_MS} AND m.${token} = ${NO_TEXT}`;
  const parameters = { later_than_ms: laterThanMs };
  for (;;) {
    const rows = await connection.read<{ id: string }>(
      `MATCH (m:Memory) WHERE ${isLater} RETURN m.id AS id LIMIT ${BROUGHT_FORWARD_STEP}`,
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
    const rewrite = rewriteOf(stored, outcome.change(stored.memory), []);
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
  const parts: { clauses: string; parameters: Parameters }[] = [];
  if (edges) {
    parts.push(removeOutgoing(edges.types.map(typeOf)), edgeWrites(edges.relations));
  }
  if (patterns) {
    const { nodes, links } = patterns;
    parts.push(removeLinks(), ...nodes.map(nodeWrite), ...links.map(linkWrite));
  }
  return {
    clauses: parts.map(({ clauses }) => clauses).join('\n'),
    parameters: Object.assign({}, ...parts.map(({ parameters }) => parameters)) as Parameters,
  };
}

function removeOutgoing(types: readonly string[]) {
  if (types.length === 0) return { clauses: '', parameters: {} };
  const clauses = `CALL { WITH m OPTIONAL MATCH (m)-[r:${types.join('|')}]->(:Memory) DELETE r RETURN count(r) AS removed }`;
  return { clauses, parameters: {} };
}

function removeLinks() {
  const label = labelOf('Pattern');
  const clauses = `CALL { WITH m OPTIONAL MATCH (m)-[r:EXEMPLIFIES]->(:${label}) DELETE r RETURN count(r) AS unlinked }`;
  return { clauses, parameters: {} };
}

function nodeWrite(node: AuxiliaryNode, position: number) {
  const name = `node_${position}`;
  return {
    clauses: `CALL { ${mergeNode(node.kind, `$${name}`)} RETURN count(n) AS ${name} }`,
    parameters: { [name]: nodeProperties(node) },
  };
}

function linkWrite(link: NodeLink, position: number) {
  const name = `link_${position}`;
  return {
    clauses: `CALL {
      MATCH (x:Memory {id: $${name}.memory_id}) WHERE ${isOurs('x')}
      MATCH (n:${labelOf(link.kind)} {id: $${name}.node_id}) WHERE n._node_rank >= 0
      MERGE (x)-[r:EXEMPLIFIES]->(n) SET r = $${name}.edge
      RETURN count(r) AS ${name}
    }`,
    parameters: { [name]: linkParameters(link) },
  };
}
