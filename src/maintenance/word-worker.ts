/** Analyzes all memories again in the background after a change of the text analyzer. */
import type { TextIndexProgress } from '../domain/reports.js';
import { ANALYZER_VERSION } from '../domain/versions.js';
import type { WordUpkeep } from '../stores/graph-store.js';
import { MEMORIES_PER_PAGE } from '../stores/pages.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import { LEASE_MS, type LeaseName, type LeaseParts, underLease } from '../stores/under-lease.js';

export interface WordWorkerParts extends LeaseParts {
  graph: LeaseParts['graph'] & WordUpkeep & Pick<MemoryStore, 'countMemories'>;
  /** Lets waiting requests run; called before each page. */
  afterRequests(): Promise<void>;
  onStart(progress: TextIndexProgress): void;
  onEnd(progress: TextIndexProgress): void;
  /** Called when a newer Engraph has written words. */
  onNewer(): void;
  onFailure(error: unknown): void;
}

export interface WordWorker {
  /** Undefined unless this process is analyzing memories again. */
  readonly progress: TextIndexProgress | undefined;
  /** Begins to look for outdated words, unless this is going on. */
  start(): void;
  /** Resolves when this process is not analyzing memories again. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

const LEASE: LeaseName = { name: 'words', lost: 'Another process has taken over the analysis of the texts' };

export function startWordWorker(parts: WordWorkerParts): WordWorker {
  const { graph, clock } = parts;
  let progress: TextIndexProgress | undefined;
  let running: Promise<void> | undefined;
  let cancelTimer = () => {};

  const rewriteAll = async (prolong: () => Promise<void>, doneCount: number, total: number) => {
    const made = { analyzerVersion: ANALYZER_VERSION, doneCount, total };
    progress = made;
    let isStarted = false;
    for (let from: number | undefined = 0; from !== undefined; ) {
      await parts.afterRequests();
      await prolong();
      const { rewrittenCount, next } = await graph.rewriteOutdatedWords({ from, limit: MEMORIES_PER_PAGE });
      if (rewrittenCount > 0 && !isStarted) parts.onStart({ ...made });
      isStarted ||= rewrittenCount > 0;
      made.doneCount = Math.min(total, made.doneCount + rewrittenCount);
      from = next;
    }
    if (isStarted) parts.onEnd({ ...made });
  };

  const run = async (): Promise<void> => {
    const { outdatedCount, hasNewer } = await graph.countOutdatedWords();
    if (hasNewer) parts.onNewer();
    if (outdatedCount === 0) return;
    const total = await graph.countMemories();
    const body = async (prolong: () => Promise<void>) => {
      await rewriteAll(prolong, Math.max(0, total - outdatedCount), total);
      return true;
    };
    // Another process is at work, or has ended during the work. Its lease ends soon.
    if (!(await underLease(parts, body, LEASE))) retryLater();
  };

  const retryLater = () => {
    cancelTimer();
    // The lease of a process that has ended ends within this time.
    if (!parts.isStopping()) cancelTimer = clock.schedule(LEASE_MS, start);
  };

  const start = () => {
    if (parts.isStopping()) return;
    cancelTimer();
    running ??= run()
      .catch(error => {
        if (parts.isStopping()) return;
        parts.onFailure(error);
        retryLater();
      })
      .finally(() => {
        progress = undefined;
        running = undefined;
      });
  };

  return {
    get progress() {
      return progress;
    },
    start,
    idle: async () => running,
    stop: async () => {
      cancelTimer();
      await running;
    },
  };
}
