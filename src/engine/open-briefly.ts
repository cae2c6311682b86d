/**
 * Opens the memory for the answers to hooks, while no process has it open. Nothing is done in the background, and no
 * model is downloaded: the process ends with its answer.
 */
import type { Config } from '../config.js';
import { RECALL_DEFAULTS } from '../domain/recall.js';
import type { Clock } from '../domain/time.js';
import { createEmbedder } from '../embedding/providers.js';
import { limitQuestions } from '../embedding/question-limit.js';
import { createHooks, type Hooks } from '../hooks/hooks.js';
import type { Logger } from '../log.js';
import { recall } from '../recall/recall.js';
import { standingPreferences, startupRecall } from '../recall/startup.js';
import type { FolderLock } from '../stores/data-folder/lock.js';
import { presentIn } from '../time/calendar.js';
import { openStores } from './open-stores.js';
import { createProjectAliases } from './project-aliases.js';

export interface BriefMemory {
  hooks: Hooks;
  /** Why nothing can be written. Empty if the memory can be written. */
  refusals: readonly string[];
  close(): Promise<void>;
}

export interface BriefOptions {
  clock: Clock;
  log: Logger;
  /** The caller's lock of the data folder. It is released when the memory is closed or cannot be opened. */
  lock?: FolderLock;
}

/** @throws MemoryError like `openEngine` */
export async function openBriefly(config: Config, { clock, log, lock }: BriefOptions): Promise<BriefMemory> {
  const stores = await openStores({ config, clock, log, ...(lock && { lock }) });
  try {
    const { graph, vectors } = stores;
    const { embedder: chosen } = await createEmbedder(config.embedding, { log, clock, neverDownloads: true });
    const embedder = limitQuestions(chosen, clock);
    const recalling = {
      graph,
      vectors,
      embedder,
      clock,
      settings: config.recall,
      zone: presentIn(config.timeZone, clock).zone,
      onDegraded: (error: unknown) => log.warn('recall continues without vectors', error),
    };
    const onFailure = (error: unknown) =>
      log.warn('a hook got no memories, or its log entry could not be written', error);
    const aliases = createProjectAliases({ graph, clock, onFailure });
    const hooks = createHooks({
      graph,
      clock,
      recall: async query => recall(recalling, await aliases.applyTo({ ...RECALL_DEFAULTS, ...query })),
      startup: () => startupRecall({ graph, clock }),
      preferences: request => standingPreferences({ graph, clock }, request),
      noteProject: aliases.note,
      onFailure,
    });
    const close = async () => {
      await hooks.flush();
      await embedder.close();
      await stores.close();
    };
    return { hooks, refusals: stores.storage.refusals(), close };
  } catch (error) {
    await stores.close();
    throw error;
  }
}
