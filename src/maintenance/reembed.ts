/** Computes vectors again, for all memories or for some, while the service runs. */

import { partsOf } from '../domain/collections.js';
import { MemoryError } from '../domain/errors.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { ReembedReport, ReembedRequest } from '../domain/reports.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { SearchIndex } from '../stores/ports/search-index.js';
import type { WorkClaim, WorkQueue } from '../stores/ports/work-queue.js';
import { type LeaseParts, underLease } from '../stores/under-lease.js';

type ReembedGraph = Pick<MemoryStore, 'getMemories' | 'countMemories'> &
  Pick<SearchIndex, 'list'> &
  Pick<WorkQueue, 'claimWork' | 'releaseWork'>;

export interface ReembedParts extends LeaseParts {
  graph: ReembedGraph & LeaseParts['graph'];
  /** Model whose vectors are up to date. */
  model: string;
  leaseMs: number;
  /** Gives claimed memories their vectors and settles the claims; returns the tokens of the settled claims. */
  embed(claims: readonly WorkClaim[]): Promise<string[]>;
  onFailure(error: unknown): void;
}

export interface EmbedOutcome {
  processed: number;
  failedIds: string[];
}

const PAGE_SIZE = 500;

/**
 * Embeds memories in batches, the newest memories first. Failed work stays queued for the worker.
 *
 * @throws MemoryError `conflict` while another run re-embeds or compares vectors
 */
export async function reembed(parts: ReembedParts, request: ReembedRequest): Promise<ReembedReport> {
  const memoryCount = await parts.graph.countMemories();
  const outcome = await underLease(parts, prolong => reembedAll(parts, request, prolong));
  if (!outcome) throw alreadyRunning();
  const { processed, failedIds } = outcome;
  return { batchSize: request.batchSize, processedCount: processed, failedIds, memoryCount };
}

export function alreadyRunning(): MemoryError {
  return new MemoryError('conflict', 'Vectors are already being re-embedded or compared', {
    hint: 'Wait until that run has ended.',
  });
}

async function reembedAll(
  parts: ReembedParts,
  { batchSize, limit = Number.POSITIVE_INFINITY, force }: ReembedRequest,
  prolong: () => Promise<void>,
): Promise<EmbedOutcome> {
  const done: EmbedOutcome = { processed: 0, failedIds: [] };
  let left = limit;
  for await (const page of newestFirst(parts.graph)) {
    const wanted = page.filter(memory => needsVector(memory, parts.model, force)).slice(0, left);
    left -= wanted.length;
    const { processed, failedIds } = await embedInBatches(
      parts,
      wanted.map(({ id }) => id),
      { batchSize, prolong },
    );
    done.processed += processed;
    done.failedIds.push(...failedIds);
    if (left <= 0) break;
  }
  return done;
}

function needsVector({ content, embedded_by }: Memory, model: string, force: boolean): boolean {
  if (content.trim() === '') return false;
  return force || (embedded_by !== model && embedded_by !== SUPPLIED_EMBEDDING);
}

/** Embeds memories in batches. If a batch fails, the next batches are still embedded. */
export async function embedInBatches(
  parts: ReembedParts,
  ids: readonly string[],
  { batchSize, prolong }: { batchSize: number; prolong(): Promise<void> },
): Promise<EmbedOutcome> {
  const { graph, clock, leaseMs } = parts;
  const outcome: EmbedOutcome = { processed: 0, failedIds: [] };
  for (const batch of partsOf(ids, batchSize)) {
    await prolong();
    const nowMs = clock.nowMs();
    const claims = await graph.claimWork({ kind: 'embed', limit: batch.length, nowMs, leaseMs, ids: batch });
    try {
      outcome.processed += (await parts.embed(claims)).length;
    } catch (error) {
      parts.onFailure(error);
      await graph.releaseWork(
        claims.map(({ token }) => token),
        { dueMs: clock.nowMs() },
      );
      outcome.failedIds.push(...claims.map(({ memory }) => memory.id));
    }
  }
  return outcome;
}

/** Returns every memory in pages, the newest memories first. */
async function* newestFirst(graph: ReembedGraph): AsyncIterable<Memory[]> {
  let toMs: number | undefined;
  // Ids that were already listed with the timestamp `toMs`. The next listing includes `toMs`, so it repeats these ids.
  let seen = new Set<string>();
  for (;;) {
    const filter = toMs === undefined ? {} : { toMs };
    const ids = await graph.list({ filter, order: 'newest', limit: PAGE_SIZE + seen.size });
    const fresh = ids.filter(id => !seen.has(id));
    if (fresh.length === 0) return;
    const memories = await graph.getMemories(fresh);
    const page = fresh.flatMap(id => memories.get(id) ?? []);
    yield page;
    const last = page.at(-1);
    if (!last) {
      // All memories of this page were deleted after they were listed.
      for (const id of fresh) seen.add(id);
      continue;
    }
    const lastMs = Date.parse(last.timestamp);
    const ofThatInstant = page.filter(({ timestamp }) => timestamp === last.timestamp).map(({ id }) => id);
    seen = new Set(lastMs === toMs ? [...seen, ...ofThatInstant] : ofThatInstant);
    toMs = lastMs;
  }
}
