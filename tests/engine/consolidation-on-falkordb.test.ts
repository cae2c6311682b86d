/** Repeats four test files of consolidation with FalkorDB as the graph store: runs, schedule, undoing and answers. */
import { describeOnFalkor } from '../support/on-falkordb.js';

describeOnFalkor('consolidation on FalkorDB', async () => {
  await import('../consolidation/runs.test.js');
  await import('../consolidation/schedule.test.js');
  await import('../consolidation/undoing.test.js');
  await import('../consolidation/answers.test.js');
});
