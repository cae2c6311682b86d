/** Keeps the search graph built as vectors are appended, in the background and never more often than it pays. */
import type { ZVecCollection } from '@zvec/zvec';

/** Appended vectors are searched one by one, which stays quick up to about here. */
const UNINDEXED_LIMIT = 2_000;
/** Building costs time in proportion to the whole: wait until so much of it is new. */
const UNINDEXED_SHARE = 0.1;
/** How long closing waits for a build; the library survives being cut off in the middle of one. */
const CLOSE_DEADLINE_MS = 2_000;

export interface IndexBuilder {
  noteWrites(count: number): void;
  /** Starts no further build; true when none is running any more, so that the collection may be closed. */
  stop(): Promise<boolean>;
}

export function createIndexBuilder(collection: ZVecCollection, field: string): IndexBuilder {
  let running: Promise<void> | undefined;
  let writesSinceCheck = 0;
  let isStopped = false;

  const buildIfWorthwhile = () => {
    writesSinceCheck = 0;
    const { docCount, indexCompleteness } = collection.stats;
    const unindexed = docCount * (1 - (indexCompleteness[field] ?? 0));
    if (unindexed < UNINDEXED_LIMIT || unindexed < docCount * UNINDEXED_SHARE) return;
    running = collection.optimize().then(
      () => {
        running = undefined;
        // Much may have been appended during the build.
        if (!isStopped) buildIfWorthwhile();
      },
      () => {
        // Everything stays searchable, only slower; the next write tries again.
        running = undefined;
      },
    );
  };

  // An earlier process may have ended in the middle of a build.
  buildIfWorthwhile();

  return {
    noteWrites: count => {
      writesSinceCheck += count;
      if (!isStopped && !running && writesSinceCheck >= UNINDEXED_LIMIT / 10) buildIfWorthwhile();
    },
    stop: async () => {
      isStopped = true;
      if (!running) return true;
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<void>(resolve => {
        timer = setTimeout(resolve, CLOSE_DEADLINE_MS);
      });
      await Promise.race([running, deadline]);
      clearTimeout(timer);
      return running === undefined;
    },
  };
}
