/** The tests of the engine once more, with FalkorDB as the graph store. */
import { beforeAll, vi } from 'vitest';
import { describeFalkor } from '../support/falkordb-server.js';
import { setTestDefaults } from '../support/test-engine.js';

describeFalkor('the engine on FalkorDB', {}, async suite => {
  vi.setConfig({ testTimeout: 20_000 });
  const graphByFolder = new Map<string, string>();
  beforeAll(() =>
    setTestDefaults(dataDir => {
      const graph = graphByFolder.get(dataDir) ?? suite.settings().graph;
      graphByFolder.set(dataDir, graph);
      return { FALKORDB_URL: suite.server.url, FALKORDB_GRAPH: graph };
    }),
  );
  await import('./store.test.js');
  await import('./change.test.js');
  await import('./by-tag.test.js');
  await import('./read-your-writes.test.js');
  await import('./status.test.js');
  await import('./vectors.test.js');
  await import('./model-change.test.js');
  await import('./life.test.js');
  await import('./degradation.test.js');
  await import('../maintenance/maintenance.test.js');
  await import('../recall/selective-filters.test.js');
  await import('../recall/expansion.test.js');
  await import('../recall/state.test.js');
  await import('../golden/golden.test.js');
  await import('../enrichment/enrich.test.js');
});
