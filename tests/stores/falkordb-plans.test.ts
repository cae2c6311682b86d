/**
 * Runs the contract of graph stores on FalkorDB, and checks the query plan of every statement that the store sends.
 * Each plan must start at an index.
 */
import { afterAll, expect, test } from 'vitest';
import { openFalkorStore } from '../../src/stores/falkordb/store.js';
import { describeGraphStore } from '../contracts/graph-store.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { idOf, memory, relation } from '../support/records.js';

/** Statements that need no index, because they only count nodes with a label: all of them, or once at the start some. */
const NEEDS_NO_INDEX = [
  /^MATCH \((\w):\w+\) RETURN count\(\1\) AS count$/,
  /^MATCH \(i:_MemoryIndex\) RETURN sum\([^()]+\) AS older, sum\([^()]+\) AS newer$/,
];

/** The prefix that gives each parameter of the statement a value of the right type. Empty without parameters. */
function placeholders(statement: string): string {
  const names = new Set([...statement.matchAll(/\$(\w+)/g)].map(([, name = '']) => name));
  const placeholder = (name: string) => {
    if (new RegExp(`\\$${name}\\.`).test(statement)) return '{}';
    return new RegExp(`(?:UNWIND|IN) \\$${name}\\b|\\$${name}\\[`).test(statement) ? '[1]' : '1';
  };
  return names.size === 0 ? '' : `CYPHER ${[...names].map(name => `${name}=${placeholder(name)}`).join(' ')}`;
}

describeFalkor('statements', { isForgetful: true }, suite => {
  const statements = new Set<string>();
  const graph = 'plans';
  describeGraphStore('FalkorDB', async () => {
    const settings = { ...suite.settings(), onStatement: (statement: string) => statements.add(statement) };
    let store = openFalkorStore(settings);
    return {
      store,
      reopen: async () => {
        await store.close();
        store = openFalkorStore(settings);
        return store;
      },
      dispose: async () => {
        await store.close();
        await suite.server.deleteGraph(settings.graph).catch(() => undefined);
      },
    };
  });

  test('all have a query plan that starts at an index, unless they only count all nodes with a label', async () => {
    const store = suite.open({ graph, onStatement: statement => statements.add(statement) });
    await store.saveMemories(
      Array.from({ length: 100 }, (_, index) => ({ memory: memory(index + 1), work: ['embed'] })),
    );
    await store.supersede({
      record: { memory: memory(101), work: [] },
      supersededId: idOf(1),
      change: current => ({ memory: { ...current, tags: ['t'] }, work: [] }),
      relation: relation(1, 'EVOLVED_INTO', 101),
    });
    await store.saveNode({ kind: 'Pattern', id: 'p', properties: {}, updated_at: '2026-01-01T00:00:00.000Z' });
    await store.countForeign?.();
    await suite.server.query(graph, "MATCH (i:_MemoryIndex) SET i.words = ' tformer0 '");
    await store.countOutdatedWords();
    expect((await store.rewriteOutdatedWords({ limit: 5 })).rewrittenCount).toBeGreaterThan(0);
    expect(statements.size).toBeGreaterThan(50);
    const scans: string[] = [];
    for (const statement of statements) {
      const compact = statement.replaceAll(/\s+/g, ' ').trim();
      if (NEEDS_NO_INDEX.some(pattern => pattern.test(compact))) continue;
      const plan = await suite.server.explain(graph, `${placeholders(statement)} ${statement}`);
      const steps = plan.map(step => step.trim());
      if (steps.some(step => /^(?:All Node Scan|Node By Label Scan)/.test(step)))
        scans.push(`${compact}\n${plan.join('\n')}`);
    }
    expect(scans).toEqual([]);
  });
  test('never set a property to null, or twice in one query part, and never combine REMOVE with SET or REMOVE', () => {
    for (const statement of statements) {
      expect(statement).not.toMatch(/=\s*null\b/);
      for (const part of statement.split(/\bWITH\b|\bCALL\b|\bRETURN\b/)) {
        const set = part
          .split(/\bSET\b/)
          .slice(1)
          .join(', ');
        const properties = [...set.matchAll(/(?:^|,)\s*(\w+\.\w+) = /g)].map(([, property]) => property);
        expect(new Set(properties).size, part).toBe(properties.length);
        const removals = part.match(/\bREMOVE\b/g)?.length ?? 0;
        expect(removals === 0 || (removals === 1 && set === ''), part).toBe(true);
        expect(set.match(/\+=/g)?.length ?? 0, part).toBeLessThanOrEqual(properties.length === 0 ? 1 : 0);
      }
    }
  });
  afterAll(() => statements.clear());
});
