/** Runs the tests of the runs, the schedule and the undoing of consolidation again with FalkorDB as the graph store. */
import { describeOnFalkor } from '../support/on-falkordb.js';

describeOnFalkor('consolidation on FalkorDB', async () => {
  await import('../consolidation/runs.test.js');
  await import('../consolidation/schedule.test.js');
  await import('../consolidation/undoing.test.js');
});
