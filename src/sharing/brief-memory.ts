/** Opens the memory for the answer to one hook, if no other process has it open. */
import { type BriefMemory, openBriefly } from '../engine/open-briefly.js';
import { needsFolder } from '../engine/open-stores.js';
import { tryLockFolder } from '../stores/data-folder/lock.js';
import { shareWith } from './election.js';
import type { OwnMemoryParts } from './own-memory.js';

/**
 * Publishes no address: processes that start meanwhile wait for the folder, as they wait for an owner that is opening it.
 *
 * @returns undefined if another process has the data folder
 * @throws MemoryError like `openEngine`
 */
export async function openForHook({ config, version, log, clock }: OwnMemoryParts): Promise<BriefMemory | undefined> {
  if (!needsFolder(config)) return openBriefly(config, { clock, log });
  const lock = tryLockFolder(config.dataDir, shareWith(config, version));
  return lock && openBriefly(config, { clock, log, lock });
}
