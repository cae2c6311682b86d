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
  return {
    limits: engine.limits,
    inPlace: request => engine.inPlace(request),
    store: refuse,
    // Callers compare only memories that were just written, and a read-only engine writes none.
    mayReplace: async () => [],
    storeMany: refuse,
    get: id => engine.get(id),
    update: refuse,
    history: id => engine.history(id),
    restoreVersion: refuse,
    remove: refuse,
    associate: refuse,
    associateMany: refuse,
    related: query => engine.related(query),
    listByTag: page => engine.listByTag(page),
    removeByTag: refuse,
    recall: query => engine.untracedRecall(query),
    untracedRecall: query => engine.untracedRecall(query),
    whyNot: (query, id) => engine.whyNot(query, id),
    projects: { ...engine.projects, note: refuse },
    health: () => engine.health(),
    statistics: () => engine.statistics(),
    workStatus: () => engine.workStatus(),
    analyze: () => engine.analyze(),
    credentials: page => engine.credentials(page),
    startupRecall: () => engine.startupRecall(),
    reprocess: refuse,
    reembed: refuse,
    sync: refuse,
    consolidation: { ...engine.consolidation, run: refuse, undo: refuse, restore: refuse, settleProposal: refuse },
    hooks: {
      ...engine.hooks,
      sessionStart: refuse,
      prompt: refuse,
      turnEnd: refuse,
      preCompact: refuse,
      sessionEnd: refuse,
    },
    transfer: { ...engine.transfer, importPage: refuse },
    idle: () => engine.idle(),
    close: () => engine.close(),
  };
}
