/** Runs tests of the engine again with FalkorDB as the graph store. */
import { afterAll, beforeAll } from 'vitest';
import { describeFalkor } from './falkordb-server.js';
import { setTestDefaults } from './test-engine.js';

/** @param load imports the test files, which nothing else may have imported before */
export function describeOnFalkor(name: string, load: () => Promise<unknown>): void {
  describeFalkor(name, { isForgetful: true }, async suite => {
    const graphByFolder = new Map<string, string>();
    beforeAll(() =>
      setTestDefaults(dataDir => {
        const graph = graphByFolder.get(dataDir) ?? suite.settings().graph;
        graphByFolder.set(dataDir, graph);
        return { FALKORDB_URL: suite.server.url, FALKORDB_GRAPH: graph };
      }),
    );
    afterAll(() => setTestDefaults(() => ({})));
    await load();
  });
}
