/**
 * The durable queue: knows which memories wait for which kind of work, and when each claim ends (docs/decisions.md,
 * "The graph is the queue").
 */
import { randomUUID } from 'node:crypto';
import { conditionsOf, type MemoryFilter, payloadOf } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { Connection, SqlValue } from '../database/connection.js';
import { viewOf } from '../embedded-vectors/stored-vector.js';
import type { ClaimRequest, Settlement, WorkClaim, WorkCounts, WorkKind, WorkRelease } from '../ports/work-queue.js';
import { filterClause } from './filter-clause.js';
import type { MemoryDatabase } from './memory-database.js';
import { type MemoryRow, memoryOf } from './rows.js';

/** Due time of work that is due at once: earlier than the time of any injected clock. */
const DUE_NOW_MS = 0;
/** Due time of enrichment that waits until the memory is embedded: later than the time of any clock. */
const HELD_MS = Number.MAX_SAFE_INTEGER;
/** Due time of half-done enrichment: only the part that needs the vector is left, and it waits for the vector. */
const HALF_DONE_MS = HELD_MS - 1;
const IS_EMBEDDING_PENDING = `EXISTS (
  SELECT 1 FROM work AS earlier WHERE earlier.kind = 'embed' AND earlier.memory = work.memory
  AND earlier.due_ms IS NOT NULL
)`;
const HOLD_ENRICHMENT = `UPDATE work SET due_ms = ${HELD_MS}, token = NULL
  WHERE kind = 'enrich' AND due_ms < ${HALF_DONE_MS} AND ${IS_EMBEDDING_PENDING}`;
/**
 * Ends a claim on the enrichment of a memory whose embedding is still pending. The part of the enrichment that needs
 * the vector stays queued.
 */
const HALVE_ENRICHMENT = `UPDATE work SET due_ms = ${HALF_DONE_MS}, attempts = 0, token = NULL, error = NULL
  WHERE kind = 'enrich' AND kind = ? AND memory = ? AND token = ? AND ${IS_EMBEDDING_PENDING}`;
const END_WORK = 'DELETE FROM work WHERE kind = ? AND memory = ? AND token = ?';
/**
 * Makes enrichment due. Enrichment that was claimed before the embedding ended has not seen the vector, so it starts
 * over.
 */
const FREE_ENRICHMENT = `UPDATE work SET due_ms = ${DUE_NOW_MS}, token = NULL
  WHERE kind = 'enrich' AND memory = ? AND (due_ms >= ${HALF_DONE_MS} OR token IS NOT NULL)
  AND NOT ${IS_EMBEDDING_PENDING}`;

interface ClaimedRow extends MemoryRow {
  attempts: number;
  vector: ArrayBuffer | Uint8Array | null;
}

/** Queues work of a memory, with zero attempts. An existing claim on this work becomes invalid. */
export function enqueue(connection: Connection, kind: WorkKind, row: number): void {
  connection.run('INSERT OR REPLACE INTO work (kind, memory, due_ms) VALUES (?, ?, ?)', kind, row, DUE_NOW_MS);
  connection.run(`${HOLD_ENRICHMENT} AND memory = ?`, row);
}

const ENQUEUE_NEW = `INSERT INTO work (kind, memory, due_ms)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`;

/** Queues the work of new memories, for which no work is queued yet. Enrichment waits until the memory is embedded. */
export function enqueueNew(
  connection: Connection,
  memories: readonly { row: number; work: readonly WorkKind[] }[],
): void {
  const queued = memories.flatMap(({ row, work }) =>
    work.map(kind => [kind, row, kind === 'enrich' && work.includes('embed') ? HELD_MS : DUE_NOW_MS]),
  );
  if (queued.length > 0) connection.run(ENQUEUE_NEW, JSON.stringify(queued));
}

/** Removes work that was done in another way. Work that waited for the removed work becomes due. */
export function dequeue(connection: Connection, kind: WorkKind, row: number): void {
  connection.run('DELETE FROM work WHERE kind = ? AND memory = ?', kind, row);
  connection.run(FREE_ENRICHMENT, row);
}

/** Restarts work in flight, because this work has read a record that is about to be replaced. */
export function restartClaimed(connection: Connection, row: number): void {
  connection.run('UPDATE work SET token = NULL, due_ms = ? WHERE memory = ? AND token IS NOT NULL', DUE_NOW_MS, row);
  connection.run(`${HOLD_ENRICHMENT} AND memory = ?`, row);
}

/** Releases the claims that an earlier owner of the file held when its process ended. */
export function releaseAllClaims(connection: Connection): void {
  connection.run('UPDATE work SET token = NULL, due_ms = ? WHERE token IS NOT NULL', DUE_NOW_MS);
}

export function claimWork(connection: Connection, request: ClaimRequest): WorkClaim[] {
  const { kind, nowMs, ids, isHeld = false } = request;
  return connection.transaction(() => {
    if (!ids) {
      // Held work is due at HELD_MS. The condition is a range instead of an equality, because the planner uses the
      // index by due time only for a range.
      const held = { which: 'work.due_ms > ?', value: HALF_DONE_MS };
      return claim(connection, request, isHeld ? held : { which: 'work.due_ms <= ?', value: nowMs });
    }
    requeue(connection, kind, ids);
    const which = 'memories.id IN (SELECT value FROM json_each(?))';
    return claim(connection, { ...request, limit: ids.length }, { which, value: JSON.stringify(ids) });
  });
}

function claim(
  connection: Connection,
  { kind, limit, nowMs, leaseMs }: ClaimRequest,
  { which, value }: { which: string; value: SqlValue },
): WorkClaim[] {
  const rows = connection.all<ClaimedRow>(
    `SELECT memories.*, work.attempts, supplied_embeddings.vector
     FROM work
     JOIN memories ON memories.row = work.memory
     LEFT JOIN supplied_embeddings ON supplied_embeddings.memory = work.memory
     WHERE work.kind = ? AND ${which} ORDER BY work.due_ms, work.memory LIMIT ?`,
    kind,
    value,
    limit,
  );
  const nonce = randomUUID();
  return rows.map(row => {
    const token = `${kind}/${row.row}/${nonce}`;
    connection.run(
      'UPDATE work SET token = ?, due_ms = ?, attempts = attempts + 1 WHERE kind = ? AND memory = ?',
      token,
      nowMs + leaseMs,
      kind,
      row.row,
    );
    return {
      memory: memoryOf(row),
      ...(row.vector && { embedding: viewOf(row.vector, Float32Array) }),
      attempt: row.attempts + 1,
      token,
    };
  });
}

export function renewWork(connection: Connection, tokens: readonly string[], leaseUntilMs: number): string[] {
  return forEachClaim(connection, tokens, (kind, row, token) => {
    const statement = 'UPDATE work SET due_ms = ? WHERE kind = ? AND memory = ? AND token = ?';
    return connection.run(statement, leaseUntilMs, kind, row, token).changes > 0;
  });
}

export function settleWork(connection: MemoryDatabase, tokens: readonly string[], result: Settlement = {}): string[] {
  const { embeddedBy, vectors } = result;
  return forEachClaim(connection, tokens, (kind, row, token) => {
    const halfDone = connection.run(HALVE_ENRICHMENT, kind, row, token).changes;
    const isOurs = halfDone + connection.run(END_WORK, kind, row, token).changes > 0;
    if (!isOurs) return false;
    if (embeddedBy !== undefined) {
      connection.run('UPDATE memories SET embedded_by = ? WHERE row = ?', embeddedBy, row);
      const vector = vectors?.get(token);
      if (vector && connection.vectors) putVectorOf(connection, row, vector);
    }
    if (kind === 'embed') connection.run(FREE_ENRICHMENT, row);
    return true;
  });
}

function putVectorOf(connection: MemoryDatabase, row: number, vector: Float32Array): void {
  const found = connection.get<MemoryRow>('SELECT * FROM memories WHERE row = ?', row);
  if (found) putVector(connection, memoryOf(found), vector);
}

/** Writes the vector of a memory if vectors are in the same file. */
export function putVector({ vectors }: MemoryDatabase, memory: Memory, vector: Float32Array): void {
  vectors?.put([{ id: memory.id, vector, payload: payloadOf(memory, memory.embedded_by ?? '') }]);
}

export function releaseWork(connection: Connection, tokens: readonly string[], { dueMs, error }: WorkRelease): void {
  const statement = `UPDATE work SET token = NULL, due_ms = ?, error = coalesce(?, error), attempts = attempts - ?
    WHERE kind = ? AND memory = ? AND token = ?`;
  const uncounted = error === undefined ? 1 : 0;
  forEachClaim(connection, tokens, (kind, row, token) => {
    const isOurs = connection.run(statement, dueMs, error ?? null, uncounted, kind, row, token).changes > 0;
    if (isOurs && kind === 'embed') connection.run(FREE_ENRICHMENT, row);
    return isOurs;
  });
}

export function workCounts(connection: Connection, kind: WorkKind): WorkCounts {
  const counts = connection.get<WorkCounts>(
    `SELECT count(*) FILTER (WHERE due_ms IS NOT NULL AND token IS NULL) AS pending,
            count(*) FILTER (WHERE token IS NOT NULL) AS inFlight,
            count(*) FILTER (WHERE due_ms IS NULL) AS failed
     FROM work WHERE kind = ?`,
    kind,
  );
  return { pending: counts?.pending ?? 0, inFlight: counts?.inFlight ?? 0, failed: counts?.failed ?? 0 };
}

/**
 * Maximum number of waiting memories that a recall searches. A longer search would cost too much for its additional
 * results.
 */
const SEARCHED_MAX = 2_000;

export function listWaiting(
  connection: Connection,
  { kind, filter, limit }: { kind: WorkKind; filter: MemoryFilter; limit: number },
): string[] {
  const { text, values } = filterClause(conditionsOf(filter));
  // CROSS JOIN makes SQLite read the queue first, because the queue is short, and many memories may pass the filter.
  const waiting = connection.all<{ id: string }>(
    `SELECT memories.id FROM (SELECT memory FROM work WHERE kind = ? ORDER BY memory DESC LIMIT ${SEARCHED_MAX}) AS waiting
     CROSS JOIN memories ON memories.row = waiting.memory WHERE ${text} LIMIT ?`,
    kind,
    ...values,
    limit,
  );
  return waiting.map(({ id }) => id);
}

export function nextWorkDueMs(connection: Connection, kind: WorkKind): number | undefined {
  const statement = `SELECT min(due_ms) AS due_ms FROM work WHERE kind = ? AND due_ms < ${HALF_DONE_MS}`;
  const next = connection.get<{ due_ms: number | null }>(statement, kind);
  return next?.due_ms ?? undefined;
}

export function makeWorkDue(connection: Connection, kind: WorkKind, laterThanMs: number): void {
  connection.run(
    `UPDATE work SET due_ms = ${DUE_NOW_MS} WHERE kind = ? AND due_ms > ? AND due_ms < ${HALF_DONE_MS} AND token IS NULL`,
    kind,
    laterThanMs,
  );
}

export function requeue(connection: Connection, kind: WorkKind, ids: readonly string[]): void {
  connection.transaction(() => {
    for (const id of ids) {
      const memory = connection.get<{ row: number }>('SELECT row FROM memories WHERE id = ?', id);
      if (memory) enqueue(connection, kind, memory.row);
    }
  });
}

/**
 * Queues for embedding all memories that have no vector of any of these models. Reads only the index entries of such
 * memories, so the call is cheap if all memories are up to date.
 */
export function requeueOutdated(connection: Connection, models: readonly string[]): number {
  return connection.transaction(() => {
    const bounds = [...models].sort();
    const others = bounds.map((_, index) => (index === 0 ? 'embedded_by < ?' : 'embedded_by > ? AND embedded_by < ?'));
    const gaps = ['embedded_by IS NULL', ...others, 'embedded_by > ?'].map(
      gap => `SELECT row FROM memories WHERE ${gap}`,
    );
    const { changes } = connection.run(
      `INSERT OR IGNORE INTO work (kind, memory, due_ms) SELECT 'embed', row, ${DUE_NOW_MS} FROM (${gaps.join(' UNION ALL ')})`,
      ...bounds.flatMap((model, index) => (index === 0 ? [model] : [bounds[index - 1] ?? '', model])),
      bounds.at(-1) ?? '',
    );
    if (changes > 0) connection.run(HOLD_ENRICHMENT);
    return changes;
  });
}

export function parseToken(token: string): { kind: string; row: number } {
  const [kind = '', row = ''] = token.split('/');
  return { kind, row: Number(row) };
}

/** Runs `apply` for each token in one transaction; returns the tokens for which `apply` reported a valid claim. */
function forEachClaim(
  connection: Connection,
  tokens: readonly string[],
  apply: (kind: string, row: number, token: string) => boolean,
): string[] {
  return connection.transaction(() =>
    tokens.filter(token => {
      const { kind, row } = parseToken(token);
      return apply(kind, row, token);
    }),
  );
}
