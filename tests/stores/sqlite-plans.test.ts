/**
 * Checks that the statements of the embedded graph store use an index, so that their cost does not depend on unrelated
 * rows.
 */
import { join } from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { conditionsOf } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';
import { type Connection, connect, type SqlValue } from '../../src/stores/database/connection.js';
import { selectiveRows } from '../../src/stores/sqlite/filtered-rows.js';
import { annotate } from '../../src/stores/sqlite/memories.js';
import { saveNode } from '../../src/stores/sqlite/nodes.js';
import { countRelations, removeRelations } from '../../src/stores/sqlite/relations.js';
import { prepareRecord, savePrepared } from '../../src/stores/sqlite/save-memories.js';
import { prepareTables } from '../../src/stores/sqlite/schema.js';
import { figuresOf, list } from '../../src/stores/sqlite/search.js';
import { claimWork } from '../../src/stores/sqlite/work.js';
import { tagged } from '../contracts/graph-harness.js';
import { idOf, memory, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/**
 * Runs `body` on a database with the given memories. Returns the query plans of its statements, with one text for each
 * step.
 */
function plansOf(body: (connection: Connection) => void, memories: readonly Memory[] = []): string[] {
  const folder = temporaryFolder();
  const path = join(folder.path, 'memories.db');
  const connection = connect(path);
  // `connection.close` cannot close a connection that has run an EXPLAIN, so another connection runs it.
  const planner = new Database(path);
  onTestFinished(() => {
    planner.close();
    connection.close();
    folder.remove();
  });
  prepareTables(connection);
  savePrepared(
    connection,
    memories.map(each => prepareRecord({ memory: each, work: [] }, undefined)),
  );
  const steps: string[] = [];
  const note = (statement: string, values: SqlValue[]) => {
    const plan = planner.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(values) as { detail: string }[];
    steps.push(...plan.map(({ detail }) => detail));
  };
  const all = <Row>(statement: string, ...values: SqlValue[]): Row[] => {
    note(statement, values);
    return connection.all<Row>(statement, ...values);
  };
  body({
    ...connection,
    all,
    run: (statement: string, ...values: SqlValue[]) => {
      note(statement, values);
      return connection.run(statement, ...values);
    },
    get: <Row>(statement: string, ...values: SqlValue[]) => all<Row>(statement, ...values)[0],
  });
  return steps;
}

test('a claim of held enrichment uses the index, and skips enrichment whose first part is already done', () => {
  const stepsOf = (isHeld: boolean) => {
    const request = { kind: 'enrich', limit: 10, nowMs: NOON, leaseMs: 1000, isHeld } as const;
    return plansOf(connection => claimWork(connection, request)).filter(step => step.includes(' work '));
  };
  expect(stepsOf(false)).toEqual(['SEARCH work USING INDEX work_by_due (kind=? AND due_ms<?)']);
  expect(stepsOf(true)).toEqual(['SEARCH work USING INDEX work_by_due (kind=? AND due_ms>?)']);
});

test('memories that are valid at an instant are found by the index of the end of validity', () => {
  const steps = plansOf(connection => selectiveRows(connection, conditionsOf({ validAtMs: NOON })));
  expect(steps).toContain('SEARCH memories USING INDEX memories_by_end (<expr>>? AND <expr><?)');
  expect(steps.filter(step => step.startsWith('SCAN memories'))).toEqual([]);
});

test.each([
  ['importance', 'SEARCH tag USING COVERING INDEX memory_tags_by_importance (key=? AND is_whole=?)'],
  ['newest', 'SEARCH tag USING PRIMARY KEY (key=?)'],
] as const)('a listing by %s reads the memories of the rarest tag in order', (order, step) => {
  const given: SqlValue[][] = [];
  const memories = Array.from({ length: 3_200 }, (_, index) =>
    memory(index + 1, { tags: index < 3_100 ? ['often', 'rarer'] : ['often'] }),
  );
  const filter = { ...tagged('exact', 'all', 'often', 'rarer'), validAtMs: NOON };
  const steps = plansOf(connection => {
    const all = <Row>(statement: string, ...values: SqlValue[]): Row[] => {
      given.push(values);
      return connection.all<Row>(statement, ...values);
    };
    list({ ...connection, all }, { filter, order, limit: 10 });
  }, memories);
  expect(steps).toContain(step);
  expect(steps.filter(each => each.startsWith('SCAN memories'))).toEqual([]);
  expect(given.at(-1)?.[0]).toBe('rarer');
});

test('counts and rankings use an index instead of scanning a table', () => {
  const steps = plansOf(connection => {
    const figures = figuresOf(connection);
    void figures.countTypes();
    void figures.surestPatterns({ aboveConfidence: 0.6, limit: 10 });
    void figures.strongestPreferences(10);
  });
  expect(steps).toContain('SCAN memories USING COVERING INDEX memories_by_type');
  expect(steps).toContain('SEARCH nodes USING INDEX patterns_by_confidence (<expr>>? AND <expr><?)');
  expect(steps).toContain('SCAN relations USING INDEX preferences');
  // The remaining scan reads at most one page of rows.
  expect(steps.filter(step => /^SCAN \w+$|TEMP B-TREE/.test(step))).toEqual(['SCAN best']);
});

test('the queries and writes of consolidation use an index', () => {
  const steps = plansOf(connection => {
    annotate(connection, [{ id: idOf(1), relevance: 0.5 }]);
    removeRelations(connection, [{ from: idOf(1), type: 'DISCOVERED', to: idOf(2) }]);
    countRelations(connection, [idOf(1), idOf(2)]);
    const updated_at = '2026-01-01T00:00:00.000Z';
    saveNode(connection, { kind: 'MetaMemory', id: 'n', properties: {}, updated_at }, [idOf(1)]);
  });
  expect(steps).toContain('SEARCH relations USING PRIMARY KEY (source=? AND type=? AND target=?)');
  expect(steps).toContain('SEARCH relations USING COVERING INDEX relations_outgoing (source=?)');
  expect(steps).toContain('SEARCH relations USING COVERING INDEX relations_incoming (target=?)');
  expect(steps.filter(step => /^SCAN (?!json_each)|TEMP B-TREE/.test(step))).toEqual([]);
});
