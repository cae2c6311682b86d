/** When a part of the analysis fails, the other parts are still answered (docs/decisions.md, "Analysis"). */
import { join } from 'node:path';
import Database from 'libsql';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { analysisAnswer, renderAnalysis } from '../../src/api/analysis.js';
import { MemoryError } from '../../src/domain/errors.js';
import type { Analysis } from '../../src/domain/reports.js';
import { analyze } from '../../src/insight/analyze.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { memory, NOON, relation } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTestEngine } from '../support/test-engine.js';
import { createTestApp, send } from './test-app.js';

const updated_at = new Date(NOON).toISOString();
const properties = { type: 'Habit', content: 'knits', confidence: 0.8, observations: 9 };

async function fill(store: GraphStore): Promise<void> {
  const metadata = { topics: ['wool'] };
  await store.saveMemories([1, 2].map(number => ({ memory: memory(number, { metadata }), work: [] })));
  await store.saveNode({ kind: 'Pattern', id: 'p', properties, updated_at });
  await store.saveRelations([relation(1, 'PREFERS_OVER', 2)]);
}

test('GET /analyze: a part whose table or index is missing is null', async () => {
  const opened = await openTestEngine();
  onTestFinished(opened.close);
  const knits = (number: number) =>
    ({ content: `Knits ${number}`, type: 'Habit', tags: ['wool'], metadata: {} }) as const;
  const ask = async () => send(createTestApp({ engine: opened.engine, log: opened.log }), 'GET /analyze');
  await opened.engine.storeMany([1, 2, 3, 4, 5, 6].map(number => ({ ...knits(number), tags: ['wool'] })));
  await opened.engine.idle();
  const before = await ask();
  expect(before.body.analytics.patterns).toHaveLength(1);
  await opened.reopen(async () => {
    const database = new Database(join(opened.config.dataDir, 'memories.db'));
    database.exec('DROP INDEX patterns_by_confidence; ALTER TABLE relations RENAME TO elsewhere');
    database.close();
  });
  const after = await ask();
  const analytics = { ...before.body.analytics, patterns: null, preferences: null };
  expect([after.status, after.body]).toEqual([200, { status: 'success', analytics }]);
});

describe('GET /analyze: a failing part', () => {
  const folder = temporaryFolder();
  let store: GraphStore;
  let whole: Analysis;
  const noFailure = () => expect.fail('A part has failed');

  beforeAll(async () => {
    store = openSqliteStore(folder.path);
    await fill(store);
    whole = await analyze({ graph: store, onFailure: noFailure });
    return async () => {
      await store.close();
      folder.remove();
    };
  });

  const lists = (limit: number): Partial<GraphStore> => ({
    list: request => (request.limit === limit ? Promise.reject(new Error('a fault')) : store.list(request)),
  });
  const fault = () => Promise.reject(new Error('a fault'));
  const PARTS: Record<keyof Analysis, () => Partial<GraphStore>> = {
    types: () => ({ countTypes: fault }),
    patterns: () => ({ surestPatterns: fault }),
    preferences: () => ({ strongestPreferences: fault }),
    hours: () => lists(100),
    entities: () => lists(200),
    confidences: () => lists(500),
  };

  test.each(Object.keys(PARTS) as (keyof Analysis)[])('%s is null, and the other parts are unaffected', async part => {
    const failed: string[] = [];
    const found = await analyze({ graph: { ...store, ...PARTS[part]() }, onFailure: name => failed.push(name) });
    expect(found).toEqual({ ...whole, [part]: null });
    expect(failed).toEqual([part]);
    expect(analysisAnswer.safeParse(renderAnalysis(found)).success).toBe(true);
  });

  test('is null even if every part fails, but the request fails if the store cannot be reached', async () => {
    const broken = (error: Error): GraphStore => {
      const reject = () => Promise.reject(error);
      return { ...store, countTypes: reject, surestPatterns: reject, strongestPreferences: reject, list: reject };
    };
    const nothing = Object.fromEntries(Object.keys(PARTS).map(part => [part, null]));
    const onFailure = () => {};
    expect(await analyze({ graph: broken(new Error('a fault')), onFailure })).toEqual(nothing);
    const gone = new MemoryError('unavailable', 'The graph store cannot be reached');
    await expect(analyze({ graph: broken(gone), onFailure })).rejects.toBe(gone);
    await expect(analyze({ graph: { ...store, ping: () => Promise.reject(gone) }, onFailure })).rejects.toBe(gone);
  });
});
