/** The graph in memory fulfils the contract itself, before other stores are compared with it. */
import { describeGraphStore } from '../contracts/graph-store.js';
import { createGraphModel } from '../support/graph-model.js';

describeGraphStore('in memory', async () => {
  const store = createGraphModel();
  return { store, reopen: async () => store, dispose: async () => {} };
});
