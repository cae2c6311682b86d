/** Notes which memories were returned, in batches behind the answer (decisions D27). */
import type { Clock } from '../domain/time.js';
import { toIso } from '../domain/time.js';
import type { GraphStore } from '../stores/graph-store.js';

/** An access lost with the process is no loss: the memory is only a moment less recent. */
const FLUSH_DELAY_MS = 1_000;

export interface AccessRecorder {
  record(ids: readonly string[]): void;
  flush(): Promise<void>;
}

export function createAccessRecorder(
  graph: GraphStore,
  clock: Clock,
  onFailure: (error: unknown) => void,
): AccessRecorder {
  let pending = new Set<string>();
  let cancel: (() => void) | undefined;

  const flush = async () => {
    cancel?.();
    cancel = undefined;
    const ids = [...pending];
    pending = new Set();
    if (ids.length === 0) return;
    try {
      await graph.touch(ids, toIso(clock.nowMs()));
    } catch (error) {
      onFailure(error);
    }
  };

  return {
    record: ids => {
      for (const id of ids) pending.add(id);
      cancel ??= clock.schedule(FLUSH_DELAY_MS, () => void flush());
    },
    flush,
  };
}
