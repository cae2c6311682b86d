/** ENGRAPH_READ_ONLY applies to the clients of one process, whichever process has the memory open. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/engine/clock.js';
import { createHttpApp } from '../../src/http/app.js';
import { openEngine } from '../../src/index.js';
import { createMemoryClient } from '../../src/sharing/memory.js';
import type { SharedMemory } from '../../src/sharing/shared-memory.js';
import { OPEN_SETTINGS, send as sendTo } from '../http/test-app.js';
import { testLimits } from '../support/test-limits.js';
import { addressOf } from './relay-app.js';
import { answerOf, configOf, join, log, send, testFolder } from './test-memory.js';

const ID = '11111111-1111-4111-8111-111111111111';
const LONG_AGO = '2020-01-01T00:00:00.000Z';
const READ_ONLY = { ENGRAPH_READ_ONLY: 'true' };

/** A folder with one memory that was last read years ago. */
async function folderWithMemory(): Promise<string> {
  const folder = testFolder();
  const memory = join(configOf({ ENGRAPH_DATA_DIR: folder }));
  const content = { id: ID, content: 'Herons nest early', tags: ['birds'], last_accessed: LONG_AGO };
  expect((await send(memory, 'POST /memory', content)).status).toBe(201);
  await memory.close();
  return folder;
}

async function read(memory: SharedMemory): Promise<void> {
  expect((await send(memory, 'GET /recall?query=herons')).body.count).toBe(1);
  expect((await send(memory, 'GET /memory/by-tag?tags=birds')).body.count).toBe(1);
  expect((await send(memory, `GET /memory/${ID}`)).status).toBe(200);
}

async function lastAccessed(folder: string): Promise<string> {
  const engine = await openEngine(configOf({ ENGRAPH_DATA_DIR: folder, ...READ_ONLY }), { log });
  onTestFinished(() => engine.close());
  return (await engine.get(ID)).memory.last_accessed;
}

async function expectOnlyReads(memory: SharedMemory): Promise<void> {
  const refused = { code: 'forbidden', message: 'This memory is read-only here; nothing was changed' };
  const tools = createMemoryClient({ memory, clock: systemClock, log });
  await expect(tools.store({ content: 'New' })).rejects.toMatchObject(refused);
  await expect(tools.remove(ID)).rejects.toMatchObject(refused);
  const { isReadOnly, reach } = memory;
  const app = createHttpApp({ reach, limits: testLimits(), settings: { ...OPEN_SETTINGS, isReadOnly }, log });
  expect(await sendTo(app, `DELETE /memory/${ID}`)).toMatchObject({ status: 403, body: { message: refused.message } });
  await read(memory);
}

describe('a read-only process', () => {
  test('refuses writes and records no reads, although the owner of the memory may write', async () => {
    const folder = await folderWithMemory();
    const owner = join(configOf({ ENGRAPH_DATA_DIR: folder }));
    await owner.open();
    const sibling = join(configOf({ ENGRAPH_DATA_DIR: folder, ...READ_ONLY }));
    await expectOnlyReads(sibling);
    await sibling.close();
    await owner.close();
    expect(await lastAccessed(folder)).toBe(LONG_AGO);
  });

  test('that has the memory open refuses writes of its own clients and does not record their reads', async () => {
    const folder = await folderWithMemory();
    const owner = join(configOf({ ENGRAPH_DATA_DIR: folder, ...READ_ONLY }));
    await expectOnlyReads(owner);
    await owner.close();
    expect(await lastAccessed(folder)).toBe(LONG_AGO);
  });

  test('that has the memory open records the reads of other processes, and stores their memories', async () => {
    const folder = await folderWithMemory();
    const owner = join(configOf({ ENGRAPH_DATA_DIR: folder, ...READ_ONLY }));
    await owner.open();
    const sibling = join(configOf({ ENGRAPH_DATA_DIR: folder }));
    expect((await send(sibling, 'POST /memory', { content: 'New' })).status).toBe(201);
    await read(sibling);
    await sibling.close();
    await owner.close();
    expect(await lastAccessed(folder)).not.toBe(LONG_AGO);
  });

  test('that uses the service at ENGRAPH_URL refuses writes, and the service does not record its reads', async () => {
    const folder = await folderWithMemory();
    const service = join(configOf({ ENGRAPH_DATA_DIR: folder }));
    const url = await addressOf({ fetch: async request => answerOf(service, request) });
    const relay = join(configOf({ ENGRAPH_URL: url, ...READ_ONLY }));
    await expectOnlyReads(relay);
    await service.close();
    expect(await lastAccessed(folder)).toBe(LONG_AGO);
  });

  test('that opens the engine itself refuses writes and records no reads', async () => {
    const folder = await folderWithMemory();
    const engine = await openEngine(configOf({ ENGRAPH_DATA_DIR: folder, ...READ_ONLY }), { log });
    await expect(engine.remove(ID)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await engine.recall({ query: 'herons' })).results).toHaveLength(1);
    await engine.close();
    expect(await lastAccessed(folder)).toBe(LONG_AGO);
  });
});
