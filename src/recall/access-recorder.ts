/**
 * Records which memories recalls returned. The recorder writes in batches, after the answer has been sent
 * (docs/decisions.md, "Recency").
 */
import type { Memory } from '../domain/memory.js';
import { type Clock, MS_PER_DAY, toIso } from '../domain/time.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';

/** Delay of a write. A crash within the delay may lose an access. The memory then counts as slightly less recent. */
const FLUSH_DELAY_MS = 1_000;
/**
 * Minimum time between two recorded accesses of a memory. A memory that is returned for several questions in a row is
 * recorded once, because recency counts in days.
 */
const GAP_MS = MS_PER_DAY;

export interface AccessRecorder {
  /** Records an access to each memory, unless an access to it was recorded less than a day ago. */
  record(memories: readonly Pick<Memory, 'id' | 'last_accessed'>[]): void;
  flush(): Promise<void>;
}

export function createAccessRecorder(
  graph: Pick<MemoryStore, 'annotate'>,
  clock: Clock,
  onFailure: (error: unknown) => void,
): AccessRecorder {
  const pending = new Set<string>();
  let cancel: (() => void) | undefined;

  const flush = async () => {
    cancel?.();
    cancel = undefined;
    const ids = [...pending];
    pending.clear();
    try {
      const lastAccessed = toIso(clock.nowMs());
      if (ids.length > 0) await graph.annotate(ids.map(id => ({ id, lastAccessed })));
    } catch (error) {
      onFailure(error);
    }
  };

  return {
    record: memories => {
      const latestMs = clock.nowMs() - GAP_MS;
      const due = memories.filter(({ last_accessed }) => Date.parse(last_accessed) <= latestMs);
      if (due.length === 0) return;
      for (const { id } of due) pending.add(id);
      cancel ??= clock.schedule(FLUSH_DELAY_MS, () => void flush());
    },
    flush,
  };
}
