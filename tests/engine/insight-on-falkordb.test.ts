/** Runs the tests of the analysis, the startup recall and the hooks again with FalkorDB as the graph store. */
import { describeOnFalkor } from '../support/on-falkordb.js';

describeOnFalkor('the memory as a whole on FalkorDB', async () => {
  await import('../http/analyze.test.js');
  await import('../http/startup-recall.test.js');
  await import('../hooks/hooks.test.js');
});
