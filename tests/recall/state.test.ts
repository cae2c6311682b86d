/** Current and outdated memories (docs/decisions.md, "What is current"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, associate, idOf, nameOf, request } = await openRecallApp();

beforeAll(async () => {
  await store({
    first: { content: 'The office is in Berlin', tags: ['office'], importance: 0.9 },
    second: { content: 'The office moved to Hamburg', tags: ['office'], importance: 0.8 },
    third: { content: 'Since spring our rooms are in Bremen', tags: ['office'], importance: 0.7 },
    expired: { content: 'The office party is on Friday', tags: ['office'], importance: 0.9, t_invalid: '2026-02-01' },
    future: { content: 'The office will have a garden', tags: ['office'], importance: 0.9, t_valid: '2027-01-01' },
    loopA: { content: 'Loop one about zebras', tags: ['loop'], timestamp: '2026-01-01' },
    loopB: { content: 'Loop two about zebras', tags: ['loop'], timestamp: '2026-01-02' },
    contested: { content: 'Coffee is healthy', tags: ['coffee'] },
    contesting: { content: 'Coffee is unhealthy', tags: ['coffee'] },
  });
  await associate('first', 'INVALIDATED_BY', 'second');
  await associate('second', 'EVOLVED_INTO', 'third');
  await associate('loopA', 'INVALIDATED_BY', 'loopB');
  await associate('loopB', 'INVALIDATED_BY', 'loopA');
  await associate('contested', 'CONTRADICTS', 'contesting');
});

test('recall: the head of a supersession chain replaces the older memories', async () => {
  const answer = await ask({ query: 'office in Berlin', state_debug: 'true' });
  expect(answer.results.map((result: { id: string }) => nameOf(result.id))).toEqual(['third']);
  expect(answer.results[0].state_replaces).toBe(idOf('first'));
  expect(answer.state_mode).toBe('current');
  expect(answer.state_filter).toMatchObject({ current_only: true, suppressed_count: 4, replacement_count: 1 });
  expect(
    answer.state_filter.suppressed.map(({ id, reason }: { id: string; reason: string }) => [nameOf(id), reason]),
  ).toEqual(
    expect.arrayContaining([
      ['first', 'superseded'],
      ['second', 'superseded'],
      ['expired', 'expired'],
      ['future', 'not_yet_valid'],
    ]),
  );
  expect(answer.state_filter.replacements).toEqual([
    { id: idOf('third'), replaces_id: idOf('first'), relation_type: 'INVALIDATED_BY' },
  ]);
});

test('recall: history shows all memories of a supersession chain', async () => {
  const asked: Record<string, string>[] = [{ state_mode: 'history' }, { current_only: 'false' }];
  for (const parameters of asked) {
    const names = await recall({ query: 'office', limit: '10', ...parameters });
    expect(names).toEqual(expect.arrayContaining(['first', 'second', 'third', 'expired', 'future']));
  }
  expect(await ask({ state_mode: 'past' }, 400)).toMatchObject({ field: 'state_mode' });
});

test('recall: a result has the bounds of its validity and the time of its archiving if they are set', async () => {
  await store({ shelved: { content: 'The attic of the office is closed', tags: ['attic'] } });
  await request(`PATCH /memory/${idOf('shelved')}`, { archived: true });
  const { results } = await ask({ query: 'office', limit: '10', state_mode: 'history' });
  const memories = new Map(results.map(({ id, memory }: { id: string; memory: object }) => [nameOf(id), memory]));
  expect(memories.get('expired')).toMatchObject({ t_invalid: '2026-02-01T00:00:00.000Z' });
  expect(memories.get('future')).toMatchObject({ t_valid: '2027-01-01T00:00:00.000Z' });
  expect(memories.get('shelved')).toHaveProperty('archived_at');
  for (const bound of ['t_valid', 't_invalid', 'archived_at']) expect(memories.get('third')).not.toHaveProperty(bound);
});

test('recall: a listing leaves out superseded memories, and fills its page with other memories', async () => {
  expect(await recall({ tags: 'office', limit: '10' })).toEqual(['third']);
  await store(
    Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `note${index}`,
        { content: `Office note ${index}`, tags: ['office'], importance: 0.1 },
      ]),
    ),
  );
  expect(await recall({ tags: 'office', limit: '10' })).toHaveLength(10);
});

test('recall: when the head of a chain fails the filter, no memory of the chain is shown', async () => {
  await store({
    old: { content: 'Our mascot is a walrus', tags: ['mascot'] },
    moved: { content: 'Our mascot is a heron', tags: ['elsewhere'] },
  });
  await associate('old', 'EVOLVED_INTO', 'moved');
  expect(await recall({ query: 'mascot walrus', tags: 'mascot' })).toEqual([]);
  expect(await recall({ query: 'mascot walrus' })).toContain('moved');
});

test('recall: a cycle of supersession shows its newest memory, also in a listing, and hides the others', async () => {
  const { results, state_filter } = await ask({ query: 'zebras' });
  expect(results.map(({ id }: { id: string }) => nameOf(id))).toEqual(['loopB']);
  expect(state_filter).toMatchObject({ suppressed_count: 1, replacement_count: 1 });
  expect(await recall({ tags: 'loop' })).toEqual(['loopB']);
});

test('recall: CONTRADICTS hides no memory', async () => {
  expect((await recall({ query: 'coffee' })).sort()).toEqual(['contested', 'contesting']);
});

test('recall: an expired memory without a successor is hidden, but can be read by id and by tag', async () => {
  expect(await recall({ query: 'office party Friday' })).not.toContain('expired');
  expect(await request(`GET /memory/${idOf('expired')}`)).toMatchObject({ content: 'The office party is on Friday' });
  const { results } = await request('GET /memory/by-tag?tags=office&limit=50');
  expect(results.map((result: { id: string }) => nameOf(result.id))).toEqual(
    expect.arrayContaining(['first', 'expired', 'future']),
  );
});

describe('storing with supersedes_memory_id', () => {
  test('corrects a memory in one write, and deleting the correction makes the memory current again', async () => {
    await store({ wrong: { content: 'The launch code name is Falcon', tags: ['launch'] } });
    const body = {
      content: 'The launch code name is Osprey',
      tags: ['launch'],
      supersedes_memory_id: idOf('wrong'),
      supersede_reason: 'typo',
    };
    const { memory_id, superseded_memory_id } = await request('POST /memory', body, 201);
    expect(superseded_memory_id).toBe(idOf('wrong'));
    expect(
      (await ask({ query: 'launch code name Falcon' })).results.map((result: { id: string }) => result.id),
    ).toEqual([memory_id]);
    const old = await request(`GET /memory/${idOf('wrong')}`);
    expect(old.metadata).toMatchObject({
      deprecated: true,
      superseded_by: memory_id,
      supersede_relation: 'INVALIDATED_BY',
      supersede_reason: 'typo',
    });
    expect(old.relations).toMatchObject([
      { type: 'INVALIDATED_BY', direction: 'outgoing', strength: 0.9, reason: 'typo' },
    ]);
    await request(`DELETE /memory/${memory_id}`);
    expect(await recall({ query: 'launch code name' })).toEqual(['wrong']);
    expect((await request(`GET /memory/${idOf('wrong')}`)).metadata).not.toHaveProperty('deprecated');
  });
  test('writes nothing when the superseded memory does not exist', async () => {
    const { memory_count: before } = await request('GET /health');
    const body = { content: 'Nothing', supersedes_memory_id: '00000000-0000-4000-8000-000000000000' };
    expect(await request('POST /memory', body, 404)).toMatchObject({ field: 'supersedes_memory_id' });
    expect(await request('POST /memory', { ...body, supersedes_memory_id: 'x' }, 400)).toMatchObject({
      field: 'supersedes_memory_id',
    });
    expect(await request('POST /memory', { ...body, supersede_relation: 'LEADS_TO' }, 400)).toMatchObject({
      field: 'supersede_relation',
    });
    expect((await request('GET /health')).memory_count).toBe(before);
  });
});

test('recall: of a memory superseded many times only the last version is shown', async () => {
  const versions = Array.from({ length: 9 }, (_, index) => `version${index}`);
  await store(
    Object.fromEntries(
      versions.map(name => [name, { content: `Release ${name}`, tags: ['release'], importance: 0.5 }]),
    ),
  );
  for (const [index, name] of versions.slice(1).entries()) await associate(`version${index}`, 'INVALIDATED_BY', name);
  expect(await recall({ query: 'release version', limit: '10', tags: 'release' })).toEqual(['version8']);
  expect(await recall({ tags: 'release', limit: '10' })).toEqual(['version8']);
});

test('recall: a listing by time keeps its order when a successor replaces an older memory', async () => {
  await store({
    early: { content: 'Alpha', tags: ['order'], timestamp: '2024-01-01' },
    middle: { content: 'Bravo', tags: ['order'], timestamp: '2024-06-01' },
    late: { content: 'Charlie', tags: ['order'], timestamp: '2025-01-01' },
  });
  await associate('early', 'INVALIDATED_BY', 'late');
  expect(await recall({ tags: 'order', sort: 'time_asc' })).toEqual(['middle', 'late']);
});
