/** GET /memory/:id/history and POST /memory/:id/restore. */
import { afterAll, describe, expect, it } from 'vitest';
import { openTestApp, UNKNOWN_ID } from './test-app.js';

const { call, engine, clock, close } = await openTestApp();
afterAll(close);

interface Version {
  version: number;
  replaced_at: string;
  changed: string[];
  content: string;
  metadata: Record<string, unknown>;
}

async function create(memory: object): Promise<string> {
  const { status, body } = await call('POST /memory', { json: memory });
  expect(status).toBe(201);
  return body.memory_id;
}

async function edit(id: string, json: object): Promise<void> {
  clock.advance(1_000);
  expect((await call(`PATCH /memory/${id}`, { json })).status).toBe(200);
}

const read = async (id: string) => (await call(`GET /memory/${id}`)).body;
const restore = (id: string, version: unknown) => call(`POST /memory/${id}/restore`, { json: { version } });
const versionsOf = async (id: string): Promise<Version[]> => (await call(`GET /memory/${id}/history`)).body.versions;

describe('the history of a memory', () => {
  it('lists the version before each edit, newest first, with the fields that the edit changed', async () => {
    const id = await create({
      content: 'Ann drinks tea.',
      type: 'Preference',
      tags: ['people:ann'],
      importance: 0.5,
      metadata: { source: 'chat', old: 1 },
      t_valid: '2026-01-01',
    });
    await engine.idle();
    await edit(id, { content: 'Ann drinks coffee.', importance: 0.5 });
    const firstAt = new Date(clock.nowMs()).toISOString();
    await edit(id, {
      tags: ['drinks'],
      importance: 0.9,
      t_valid: null,
      metadata: { source: 'talk', old: null, new: [1] },
    });
    const { status, body } = await call(`GET /memory/${id}/history`);
    expect([status, body.status, body.memory_id]).toEqual([200, 'success', id]);
    const t_valid = '2026-01-01T00:00:00.000Z';
    const shared = {
      type: 'Preference',
      confidence: 0.9,
      tags: ['people:ann'],
      importance: 0.5,
      archived: false,
      t_valid,
    };
    const shown = body.versions.map(({ timestamp: _, metadata: __, ...version }: Record<string, unknown>) => version);
    expect(shown).toEqual([
      {
        ...shared,
        version: 2,
        replaced_at: new Date(clock.nowMs()).toISOString(),
        changed: ['importance', 't_valid', 'tags', 'metadata.source', 'metadata.old', 'metadata.new'],
        content: 'Ann drinks coffee.',
      },
      { ...shared, version: 1, replaced_at: firstAt, changed: ['content'], content: 'Ann drinks tea.' },
    ]);
    expect(body.versions[1].metadata).toMatchObject({ source: 'chat', old: 1 });
  });

  it('is empty before the first edit, and is answered with 404 for an unknown memory', async () => {
    const id = await create({ content: 'never edited' });
    expect(await versionsOf(id)).toEqual([]);
    for (const route of [`GET /memory/${UNKNOWN_ID}/history`, `POST /memory/${UNKNOWN_ID}/restore`]) {
      const { status, body } = await call(route, route.startsWith('POST') ? { json: { version: 1 } } : {});
      expect([status, body.message]).toEqual([404, `Memory not found: ${UNKNOWN_ID}`]);
    }
  });

  it('gets no version from an edit without effect, an edit of last_accessed or updated_at, or enrichment', async () => {
    const id = await create({ content: 'Bo met Cleo in Oslo.', tags: ['a'], metadata: { source: 'chat' } });
    const same = { content: 'Bo met Cleo in Oslo.', tags: ['a'], metadata: { source: 'chat', absent: null } };
    await edit(id, same);
    await edit(id, { last_accessed: '2026-03-05', updated_at: '2026-03-05' });
    await engine.reprocess([id]);
    await engine.idle();
    expect(await versionsOf(id)).toEqual([]);
  });

  it('gets no version from a supersession, and restoring keeps the metadata of the supersession', async () => {
    const id = await create({ content: 'Builds run on Mondays.', metadata: { source: 'chat' } });
    await edit(id, { content: 'Builds run on Tuesdays.', metadata: { source: 'mail' } });
    const newer = await create({ content: 'Builds run on Fridays.', supersedes_memory_id: id });
    expect(await versionsOf(id)).toHaveLength(1);
    await restore(id, 1);
    expect(await read(id)).toMatchObject({
      content: 'Builds run on Mondays.',
      metadata: { source: 'chat', deprecated: true, superseded_by: newer },
    });
  });

  it('keeps only the last ten versions, and their numbers do not change', async () => {
    const id = await create({ content: 'state 0' });
    for (let number = 1; number <= 12; number++) await edit(id, { content: `state ${number}` });
    const versions = await versionsOf(id);
    expect(versions.map(({ version }) => version)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(versions.map(({ content }) => content)).toEqual(
      Array.from({ length: 10 }, (_, index) => `state ${11 - index}`),
    );
    const { status, body } = await restore(id, 2);
    expect([status, body.field]).toEqual([404, 'version']);
    expect(body.details).toContain('12, 11');
  });

  it('keeps fewer than ten versions of very long contents, but always the newest version', async () => {
    const long = (letter: string) => letter.repeat(45_000);
    const id = await create({ content: long('a') });
    for (const letter of 'bcdefgh') await edit(id, { content: long(letter) });
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([7, 6, 5, 4, 3]);
    await edit(id, { content: '😀'.repeat(50_000), metadata: { pages: 'x'.repeat(63_000) } });
    await edit(id, { content: 'short' });
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([9]);
    await restore(id, 9);
    expect((await read(id)).content).toBe('😀'.repeat(50_000));
  });

  it('is deleted with its memory, whether the memory is deleted by id or by tag', async () => {
    const [one, other] = [
      await create({ content: 'secret one' }),
      await create({ content: 'secret two', tags: ['s'] }),
    ];
    for (const id of [one, other]) await edit(id, { content: 'changed' });
    await call(`DELETE /memory/${one}`);
    await call('DELETE /memory/by-tag?tags=s');
    for (const id of [one, other]) {
      expect((await call(`GET /memory/${id}/history`)).status).toBe(404);
      await create({ id, content: 'another life' });
      expect(await versionsOf(id)).toEqual([]);
    }
  });
});

describe('restoring a version', () => {
  it('restores every edited field, the words in the index and the entities, and can itself be taken back', async () => {
    const id = await create({
      content: 'Dora prefers Postgres.',
      tags: ['db'],
      importance: 0.5,
      metadata: { source: 'chat' },
      t_valid: '2026-01-01',
    });
    await engine.idle();
    const { updated_at: _, last_accessed: __, ...before } = await read(id);
    await edit(id, {
      content: 'Emil decided against Redis.',
      type: 'Decision',
      metadata: { source: null, by: 'Emil' },
    });
    await edit(id, { tags: ['cache'], t_valid: null, t_invalid: '2030-01-01', importance: 1, timestamp: '2020-01-01' });
    await engine.idle();
    clock.advance(1_000);
    const answer = await restore(id, 1);
    expect([answer.status, answer.body]).toEqual([200, { status: 'success', memory_id: id }]);
    await engine.idle();
    const { updated_at, last_accessed: ___, ...after } = await read(id);
    expect(after).toEqual({ ...before, metadata: { ...before.metadata, enriched_at: after.metadata.enriched_at } });
    expect(updated_at).toBe(new Date(clock.nowMs()).toISOString());
    const found = async (query: string) => {
      const { body } = await call(`GET /recall?query=${query}`);
      return body.results.map((result: { id: string }) => result.id);
    };
    expect([await found('postgres'), await found('redis')]).toEqual([[id], []]);
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([3, 2, 1]);
    await restore(id, 3);
    expect(await read(id)).toMatchObject({
      content: 'Emil decided against Redis.',
      type: 'Decision',
      tags: expect.arrayContaining(['cache', 'entity:people:emil']),
      importance: 1,
      metadata: { by: 'Emil' },
      timestamp: '2020-01-01T00:00:00.000Z',
      t_invalid: '2030-01-01T00:00:00.000Z',
    });
  });

  it('takes back the edit that replaced the version, and every later edit, but no earlier edit', async () => {
    const id = await create({ content: 'old words', importance: 0.2, metadata: { a: 1, b: 1 } });
    await edit(id, { content: 'new words' });
    await edit(id, { importance: 0.7, metadata: { a: 2 } });
    await edit(id, { metadata: { b: 2 } });
    await restore(id, 2);
    expect(await read(id)).toMatchObject({ content: 'new words', importance: 0.2, metadata: { a: 1, b: 1 } });
  });

  it('removes metadata that the edit added, even under names such as constructor', async () => {
    const id = await create({ content: 'x' });
    const before = (await read(id)).metadata;
    await edit(id, { metadata: { constructor: 1, toString: 'y', 'a.b': [2] } });
    expect((await versionsOf(id))[0]?.changed).toEqual(['metadata.constructor', 'metadata.toString', 'metadata.a.b']);
    await restore(id, 1);
    expect((await read(id)).metadata).toEqual(before);
  });

  it('adds no version when it changes nothing', async () => {
    const id = await create({ content: 'here' });
    await edit(id, { content: 'there' });
    await restore(id, 1);
    await restore(id, 1);
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([2, 1]);
  });

  it.each([undefined, null, 0, -1, 1.5, 'latest', {}])('refuses the version %j, and names the field', async version => {
    const id = await create({ content: 'x' });
    await edit(id, { content: 'y' });
    const { status, body } = await restore(id, version);
    expect([status, body.field, body.message]).toEqual([
      400,
      'version',
      "'version' must be a whole number of 1 or more",
    ]);
    expect((await read(id)).content).toBe('y');
  });

  it('answers 404 and names the field if the version does not exist', async () => {
    const id = await create({ content: 'x' });
    const { status, body } = await restore(id, 1);
    expect([status, body.field, body.message]).toEqual([404, 'version', `Memory ${id} has no version 1`]);
  });
});
