/** Runs tests of the engine again with FalkorDB as the graph store. */
import { describeOnFalkor } from '../support/on-falkordb.js';

describeOnFalkor('writing and reading on FalkorDB', async () => {
  await import('./store.test.js');
  await import('./change.test.js');
  await import('./supersede.test.js');
  await import('./by-tag.test.js');
  await import('./read-your-writes.test.js');
  await import('./status.test.js');
  await import('./may-replace.test.js');
  await import('./vectors.test.js');
  await import('../recall/newer.test.js');
  await import('../recall/successors.test.js');
  await import('../recall/order.test.js');
});
