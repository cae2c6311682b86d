/** Runs tests of the engine again with FalkorDB as the graph store. */
import { describeOnFalkor } from '../support/on-falkordb.js';

describeOnFalkor('upkeep on FalkorDB', async () => {
  await import('./model-change.test.js');
  await import('./life.test.js');
  await import('./degradation.test.js');
  await import('../maintenance/maintenance.test.js');
  await import('../maintenance/word-upkeep.test.js');
});
