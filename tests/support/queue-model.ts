/** The queue of work of the graph in memory. */
import { passesFilter } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';
import { frozenMemory } from '../../src/stores/cached-record.js';
import type { WorkKind, WorkQueue } from '../../src/stores/ports/work-queue.js';

/** `dueMs`: when the work is due, `HELD`, `HALF_DONE`, or null if it has failed for good. */
export interface Work {
  dueMs: number | null;
  attempts: number;
  token?: string | undefined;
}

export interface Row {
  memory: Memory;
  /** Position in the order of creation. */
  row: number;
  embedding?: Float32Array | undefined;
  work: Map<WorkKind, Work>;
}

/** Enrichment that waits for the vector; half done if only the part that needs the vector is left. */
const HELD = Number.MAX_SAFE_INTEGER;
const HALF_DONE = HELD - 1;

/** @param rows the memories by id */
export function createQueueModel(rows: ReadonlyMap<string, Row>) {
  let lastToken = 0;
  const isEmbedding = ({ work }: Row) => typeof work.get('embed')?.dueMs === 'number';
  /** Enrichment waits while the embedding is pending. */
  const hold = (row: Row) => {
    const enrichment = row.work.get('enrich');
    if (!enrichment || !isEmbedding(row) || enrichment.dueMs === null || enrichment.dueMs >= HALF_DONE) return;
    row.work.set('enrich', { ...enrichment, dueMs: HELD, token: undefined });
  };
  /** Enrichment that was claimed before the embedding ended has not seen the vector, so it starts over. */
  const free = (row: Row) => {
    const enrichment = row.work.get('enrich');
    if (!enrichment || isEmbedding(row)) return;
    const isWaiting = enrichment.token !== undefined || (enrichment.dueMs ?? 0) >= HALF_DONE;
    if (isWaiting) row.work.set('enrich', { ...enrichment, dueMs: 0, token: undefined });
  };
  const enqueue = (row: Row, kind: WorkKind) => {
    row.work.set(kind, { dueMs: 0, attempts: 0 });
    hold(row);
  };
  const restartClaimed = (row: Row) => {
    for (const [kind, work] of row.work) {
      if (work.token !== undefined) row.work.set(kind, { ...work, dueMs: 0, token: undefined });
    }
    hold(row);
  };

  /** Runs `apply` for each valid claim; returns the tokens of the claims for which it returns true. */
  const forEachClaim = (tokens: readonly string[], apply: (row: Row, kind: WorkKind, work: Work) => boolean) =>
    tokens.filter(token => {
      for (const row of rows.values()) {
        for (const [kind, work] of row.work) if (work.token === token) return apply(row, kind, work);
      }
      return false;
    });
  /** Ends a claim. Enrichment whose embedding is pending is half done. */
  const settle = (row: Row, kind: WorkKind) => {
    if (kind === 'enrich' && isEmbedding(row)) row.work.set(kind, { dueMs: HALF_DONE, attempts: 0 });
    else row.work.delete(kind);
    if (kind === 'embed') free(row);
    return true;
  };
  const queued = (kind: WorkKind) =>
    [...rows.values()].flatMap(row => (row.work.has(kind) ? [{ row, work: row.work.get(kind) as Work }] : []));
  const requeue = (kind: WorkKind, ids: readonly string[]) => {
    for (const id of ids) if (rows.has(id)) enqueue(rows.get(id) as Row, kind);
  };

  const queue: Omit<WorkQueue, 'completeWork'> = {
    claimWork: async ({ kind, limit, nowMs, leaseMs, isHeld = false, ids }) => {
      if (ids) requeue(kind, ids);
      const isDue = ({ row, work: { dueMs } }: { row: Row; work: Work }) =>
        ids ? ids.includes(row.memory.id) : dueMs !== null && (isHeld ? dueMs > HALF_DONE : dueMs <= nowMs);
      const inOrder = (a: { row: Row; work: Work }, b: { row: Row; work: Work }) =>
        (a.work.dueMs ?? 0) - (b.work.dueMs ?? 0) || a.row.row - b.row.row;
      const due = queued(kind)
        .filter(isDue)
        .sort(inOrder)
        .slice(0, ids?.length ?? limit);
      return due.map(({ row, work }) => {
        const token = `${kind}/${row.row}/${++lastToken}`;
        row.work.set(kind, { dueMs: nowMs + leaseMs, attempts: work.attempts + 1, token });
        return {
          memory: row.memory,
          ...(row.embedding && { embedding: row.embedding }),
          attempt: work.attempts + 1,
          token,
        };
      });
    },
    renewWork: async (tokens, leaseUntilMs) =>
      forEachClaim(tokens, (row, kind, work) => Boolean(row.work.set(kind, { ...work, dueMs: leaseUntilMs }))),
    settleWork: async (tokens, { embeddedBy }) =>
      forEachClaim(tokens, (row, kind) => {
        if (embeddedBy !== undefined) row.memory = frozenMemory({ ...row.memory, embedded_by: embeddedBy });
        return settle(row, kind);
      }),
    releaseWork: async (tokens, { dueMs, error }) => {
      forEachClaim(tokens, (row, kind, { attempts }) => {
        row.work.set(kind, { dueMs, attempts: error === undefined ? attempts - 1 : attempts });
        if (kind === 'embed') free(row);
        return true;
      });
    },
    workCounts: async kind => {
      const all = queued(kind).map(({ work }) => work);
      const inFlight = all.filter(({ token }) => token !== undefined).length;
      const failed = all.filter(({ dueMs }) => dueMs === null).length;
      return { pending: all.length - inFlight - failed, inFlight, failed };
    },
    listWaiting: async ({ kind, filter, limit }) =>
      queued(kind)
        .map(({ row }) => row.memory)
        .filter(memory => passesFilter(memory, filter))
        .slice(0, limit)
        .map(({ id }) => id),
    nextWorkDueMs: async kind => {
      const times = queued(kind).flatMap(({ work: { dueMs } }) =>
        dueMs === null || dueMs >= HALF_DONE ? [] : [dueMs],
      );
      return times.length > 0 ? Math.min(...times) : undefined;
    },
    makeWorkDue: async (kind, laterThanMs) => {
      for (const { row, work } of queued(kind)) {
        const { dueMs, token } = work;
        const isLater = dueMs !== null && dueMs > laterThanMs && dueMs < HALF_DONE && token === undefined;
        if (isLater) row.work.set(kind, { ...work, dueMs: 0 });
      }
    },
    requeue: async (kind, ids) => requeue(kind, ids),
    requeueOutdated: async models => {
      const isOutdated = ({ memory, work }: Row) => !models.includes(memory.embedded_by ?? '') && !work.has('embed');
      const outdated = [...rows.values()].filter(isOutdated);
      for (const row of outdated) enqueue(row, 'embed');
      return outdated.length;
    },
  };
  return { queue, enqueue, hold, restartClaimed, settle, forEachClaim };
}
