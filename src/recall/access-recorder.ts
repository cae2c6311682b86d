/** Notes which memories were returned, in batches behind the answer (docs/decisions.md, "Recency"). */
import type { Memory } from '../domain/memory.js';
import { type Clock, MS_PER_DAY, toIso } from '../domain/time.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';

/** A crash may lose an access; the memory then counts as slightly less recent. */
const FLUSH_DELAY_MS = 1_000;
/** What stands among the results of one question after another need not be written each time: recency counts in days. */
const RESULT_GAP_MS = MS_PER_DAY;

export interface AccessRecorder {
  /** Of memories among the results of a question. Each is written at most once a day. */
  record(memories: readonly Pick<Memory, 'id' | 'last_accessed'>[]): void;
  /** Of a memory that was asked for by its id. It is written each time. */
  recordRead(id: string): void;
  flush(): Promise<void>;
}

export function createAccessRecorder(
  graph: Pick<MemoryStore, 'touch'>,
  clock: Clock,
  onFailure: (error: unknown) => void,
): AccessRecorder {
  const pending = { results: new Set<string>(), reads: new Set<string>() };
  let cancel: (() => void) | undefined;

  const touch = async (ids: Set<string>, minGapMs?: number) => {
    const touched = [...ids];
    ids.clear();
    if (touched.length > 0) await graph.touch(touched, toIso(clock.nowMs()), minGapMs);
  };

  const flush = async () => {
    cancel?.();
    cancel = undefined;
    try {
      // The graph compares once more, because another recall or process may have written meanwhile.
      await Promise.all([touch(pending.reads), touch(pending.results, RESULT_GAP_MS)]);
    } catch (error) {
      onFailure(error);
    }
  };

  const flushLater = () => {
    cancel ??= clock.schedule(FLUSH_DELAY_MS, () => void flush());
  };

  return {
    record: memories => {
      const latestMs = clock.nowMs() - RESULT_GAP_MS;
      const due = memories.filter(({ last_accessed }) => Date.parse(last_accessed) <= latestMs);
      if (due.length === 0) return;
      for (const { id } of due) pending.results.add(id);
      flushLater();
    },
    recordRead: id => {
      pending.reads.add(id);
      flushLater();
    },
    flush,
  };
}
