/** Recalls with the tag of a project find memories that were stored under its former names. */
import { describe, expect, test } from 'vitest';
import { readRecall } from '../../src/api/recall-request.js';
import { createProjectAliases } from '../../src/engine/project-aliases.js';
import { readOnly } from '../../src/engine/read-only.js';
import { createTestApp, send } from '../http/test-app.js';
import { createGraphModel } from '../support/graph-model.js';
import { createManualClock } from '../support/manual-clock.js';
import { memory } from '../support/records.js';
import { openForTest } from './open-engine.js';

const SHOP = { name: 'acme/shop', formerNames: ['shop', 'till'] };

async function openShop(env: Record<string, string> = {}) {
  const memory = await openForTest(env);
  const { add } = memory;
  await add({ content: 'Tills close at ten.', tags: ['project:acme/shop', 'opening'] });
  await add({ content: 'Tills open at nine.', tags: ['project:shop', 'opening'] });
  await add({ content: 'Tills are blue.', tags: ['Project/Shop'] });
  await add({ content: 'Tills of the owner of that name are red.', tags: ['project:shop/billing'] });
  await add({ content: 'Tills of others are green.', tags: ['project:other', 'opening'] });
  return memory;
}

const NEW = 'Tills close at ten.';
const OLD = 'Tills open at nine.';
const OTHER_SPELLING = 'Tills are blue.';

describe('an alias of a project', () => {
  test('adds memories under the former name to a recall by tag, with any and with all of the tags', async () => {
    const { engine, found } = await openShop();
    const tagged = { query: 'tills', tags: ['project:acme/shop'] };
    expect(await found(tagged)).toEqual([NEW]);
    await engine.projects.note(SHOP);
    expect((await found(tagged)).sort()).toEqual([OTHER_SPELLING, NEW, OLD].sort());
    expect((await found({ ...tagged, query: '' })).sort()).toEqual([OTHER_SPELLING, NEW, OLD].sort());
    expect((await found({ ...tagged, tag_match: 'exact' })).sort()).toEqual([OTHER_SPELLING, NEW, OLD].sort());
    const both = { query: 'tills', tags: ['project:acme:shop', 'opening'], tag_mode: 'all' };
    expect((await found(both)).sort()).toEqual([NEW, OLD]);
    expect(await found({ query: 'tills', tags: ['project:shop'] })).not.toContain(NEW);
  });

  test('is stored only if memories have the tag, and is listed with their number', async () => {
    const { engine, reopen, log } = await openShop();
    await engine.projects.note({ name: 'acme/garden', formerNames: ['garden'] });
    await engine.projects.note(SHOP);
    const aliases = [{ project: 'acme/shop', formerName: 'shop', memoryCount: 2 }];
    expect(await engine.projects.list()).toEqual(aliases);
    const reopened = await reopen();
    expect(await reopened.projects.list()).toEqual(aliases);
    const { body } = await send(createTestApp({ engine: reopened, log }), 'GET /projects');
    expect(body).toEqual({ status: 'success', projects: [{ project: 'acme/shop', former_name: 'shop', memories: 2 }] });
  });

  test('is not noted by a read-only memory, which still finds memories by known ones', async () => {
    const { engine, recall } = await openShop();
    await expect(readOnly(engine).projects.note(SHOP)).rejects.toMatchObject({ code: 'forbidden' });
    const query = readRecall({ query: 'tills', tags: ['project:acme/shop'] }, engine.limits);
    expect((await readOnly(engine).recall(query)).results).toHaveLength(1);
    await engine.projects.note(SHOP);
    expect((await readOnly(engine).recall(query)).results).toHaveLength(3);
    expect((await recall({ tags: ['project:acme/shop'], state_mode: 'history' })).results).toHaveLength(3);
  });

  test('of two projects with the same former name is found under both', async () => {
    const { engine, found } = await openShop();
    await engine.projects.note(SHOP);
    await engine.projects.note({ name: 'ann/shop', formerNames: ['shop'] });
    expect(await found({ query: 'tills', tags: ['project:ann/shop'] })).toContain(OLD);
    expect(await found({ query: 'tills', tags: ['project:acme/shop'] })).toContain(OLD);
  });

  test('that another process has noted stays when one more is noted', async () => {
    const graph = createGraphModel();
    const tags = ['project:shop', 'project:till'];
    await graph.saveMemories(tags.map((tag, index) => ({ memory: memory(index + 1, { tags: [tag] }), work: [] })));
    const onFailure = (error: unknown) => expect(error).toBeUndefined();
    const [one, other] = [1, 2].map(() => createProjectAliases({ graph, clock: createManualClock(), onFailure }));
    await one?.note({ name: 'acme/shop', formerNames: [] });
    await other?.note({ name: 'acme/shop', formerNames: ['shop'] });
    await one?.note({ name: 'acme/shop', formerNames: ['till'] });
    expect((await one?.list())?.map(({ formerName }) => formerName)).toEqual(['shop', 'till']);
  });

  test('applies to hints, and not to the deletion by tag', async () => {
    const { engine, recall } = await openShop();
    await engine.projects.note(SHOP);
    const { results } = await recall({ query: 'tills', context_tags: ['project:acme/shop'] });
    const hinted = results.filter(({ components }) => components.context > 0).map(({ memory }) => memory.content);
    expect(hinted.sort()).toEqual(expect.arrayContaining([OLD, NEW]));
    expect((await engine.removeByTag(['project:acme/shop'])).deletedCount).toBe(1);
  });

  test('is refused by REST without a name', async () => {
    const { engine, log } = await openForTest();
    const app = createTestApp({ engine, log });
    expect((await send(app, 'POST /projects', { json: { former_projects: ['x'] } })).status).toBe(400);
    const json = { project: 'acme/shop', former_projects: ['shop'] };
    expect((await send(app, 'POST /projects', { json })).body).toEqual({ status: 'success' });
    expect(await engine.projects.list()).toEqual([]);
  });
});
