/** Wraps the engine for read-only use. */
import { readOnlyRefusal } from '../domain/errors.js';
import type { Engine } from './engine.js';

const refuse = async () => {
  throw readOnlyRefusal();
};

/**
 * Returns the same engine, but every write and every maintenance run rejects with MemoryError `forbidden`. Reads record
 * no accesses.
 */
export function readOnly(engine: Engine): Engine {
  const { untracedRecall, projects, consolidation, hooks, transfer } = engine;
  return {
    ...engine,
    ...{
      store: refuse,
      storeMany: refuse,
      update: refuse,
      restoreVersion: refuse,
      remove: refuse,
      removeByTag: refuse,
    },
    ...{ associate: refuse, associateMany: refuse, reprocess: refuse, reembed: refuse, sync: refuse },
    recall: untracedRecall,
    projects: { ...projects, note: refuse },
    consolidation: { ...consolidation, run: refuse, undo: refuse, restore: refuse, settleProposal: refuse },
    hooks: {
      ...hooks,
      ...{ sessionStart: refuse, prompt: refuse, turnEnd: refuse, preCompact: refuse, sessionEnd: refuse },
    },
    transfer: { ...transfer, importPage: refuse },
  };
}
