/** Opens engines with data of every kind or without data, each with a client. */
import { createClient } from '../../src/client/client.js';
import { EXPORTED_KINDS } from '../../src/domain/transfer.js';
import type { TransferClient } from '../../src/transfer/import-file.js';
import { axis, openForTest, type TalkingEngine } from '../engine/open-engine.js';
import { createTestApp } from '../http/test-app.js';
import { openGraphOf } from '../support/test-engine.js';

export const UPDATED_AT = '2026-01-01T00:00:00.000Z';

export function appOf({ engine, log }: Pick<TalkingEngine, 'engine' | 'log'>, settings: object = {}) {
  return createTestApp({ engine, log, settings: { adminToken: 'admin', bodyLimitBytes: 33_554_432, ...settings } });
}

/** Creates a client that calls the REST interface of the engine without sockets. */
export function clientOf(test: Pick<TalkingEngine, 'engine' | 'log'>) {
  const app = appOf(test);
  return createClient({
    url: 'http://127.0.0.1:8001',
    adminToken: 'admin',
    retryDelaysMs: [],
    fetch: (url, init) => app.request(url, init),
  });
}

export interface Filled {
  test: TalkingEngine;
  client: TransferClient;
  ids: { first: string; second: string; supplied: string };
  count: number;
}

/**
 * Opens an engine with data of every kind. All memories are enriched, and the queues are empty.
 *
 * @param notes number of plain memories, in addition to three memories with other data
 */
export async function filledMemory(notes = 40): Promise<Filled> {
  const test = await openForTest();
  const { memories } = await test.storeMany([
    { content: 'Anna uses Redis', tags: ['people:anna'], importance: 0.9 },
    { content: 'Ben left in May', t_valid: '2026-01-01', t_invalid: '2027-01-01' },
    ...Array.from({ length: notes }, (_, index) => ({ content: `note ${index}`, tags: [`part:${index % 7}`] })),
  ]);
  const [first = '', second = ''] = memories.map(({ id }) => id);
  const supplied = await test.add({
    content: 'own vector',
    embedding: axis(9),
    metadata: { 'odd " key': [1, null, 'ü'] },
  });
  await test.engine.associate({
    memory1_id: first,
    memory2_id: second,
    type: 'PREFERS_OVER',
    strength: 0.7,
    properties: { reason: 'so' },
  });
  await test.engine.idle();
  await test.reopen(async () => {
    const graph = openGraphOf(test.config);
    const archived = { archived: true, archived_at: UPDATED_AT, archived_reason: 'old', relevance_score: 0.1 } as const;
    await graph.updateMemory(second, current => ({ memory: { ...current, ...archived }, work: [] }));
    for (const kind of EXPORTED_KINDS) {
      // The id of a history is the id of its memory.
      const id = kind === 'MemoryHistory' ? first : 'n';
      await graph.saveNode({ kind, id, properties: { list: [{ kind }] }, updated_at: UPDATED_AT });
    }
    await graph.linkNode({ memoryId: first, kind: 'Pattern', nodeId: 'n', confidence: 0.25, updated_at: UPDATED_AT });
    const properties = { list: [{ kind: 'MetaMemory' }] };
    await graph.saveNode({ kind: 'MetaMemory', id: 'n', properties, updated_at: UPDATED_AT }, [first]);
    await graph.takeLease({ name: 'maintenance', holder: 'somebody', nowMs: 0, untilMs: 1 });
    await graph.close();
  });
  await test.engine.idle();
  return { test, client: clientOf(test), ids: { first, second, supplied }, count: notes + 3 };
}

/** Opens an engine without memories. */
export async function emptyMemory(env: Record<string, string> = {}) {
  const test = await openForTest(env);
  return { test, client: clientOf(test) };
}
