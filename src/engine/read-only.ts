/** The engine for those who may only read. */
import { readOnlyRefusal } from '../domain/errors.js';
import type { Engine } from './engine.js';

const refuse = async () => {
  throw readOnlyRefusal();
};

/** The same engine. Every write, and every run of maintenance, rejects with MemoryError `forbidden`. Reads leave no trace. */
export function readOnly(engine: Engine): Engine {
  return {
    limits: engine.limits,
    store: refuse,
    // Of what was just stored, which nothing is.
    similarTo: async () => [],
    storeMany: refuse,
    get: id => engine.get(id),
    update: refuse,
    remove: refuse,
    associate: refuse,
    associateMany: refuse,
    related: query => engine.related(query),
    listByTag: page => engine.listByTag(page),
    removeByTag: refuse,
    recall: query => engine.untracedRecall(query),
    untracedRecall: query => engine.untracedRecall(query),
    whyNot: (query, id) => engine.whyNot(query, id),
    health: () => engine.health(),
    statistics: () => engine.statistics(),
    workStatus: () => engine.workStatus(),
    analyze: () => engine.analyze(),
    startupRecall: () => engine.startupRecall(),
    reprocess: refuse,
    reembed: refuse,
    sync: refuse,
    consolidation: { ...engine.consolidation, run: refuse, undo: refuse, restore: refuse, settleProposal: refuse },
    hooks: { ...engine.hooks, sessionStart: refuse, prompt: refuse, turnEnd: refuse },
    transfer: { ...engine.transfer, importPage: refuse },
    idle: () => engine.idle(),
    close: () => engine.close(),
  };
}
