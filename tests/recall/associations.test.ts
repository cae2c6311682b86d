/** Tests POST /associate and GET /memories/:id/related (docs/decisions.md, "Relations"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { store, idOf, nameOf, request } = await openRecallApp();
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

beforeAll(() =>
  store({
    a: { content: 'alpha', importance: 0.5 },
    b: { content: 'beta', importance: 0.9 },
    c: { content: 'gamma', importance: 0.1 },
    d: { content: 'delta', importance: 0.7 },
  }),
);

const edge = (from: string, to: string, more: object = {}) => ({
  memory1_id: idOf(from),
  memory2_id: idOf(to),
  ...more,
});
const relationsOf = async (name: string) => (await request(`GET /memory/${idOf(name)}`)).relations;

describe('POST /associate', () => {
  test('creates an edge from the first to the second memory, with the properties of its type', async () => {
    const body = edge('a', 'b', {
      type: ' prefers_over ',
      strength: '0.8',
      context: 'work',
      reason: 'speed',
      role: 'none of it',
    });
    const answer = await request('POST /associate', body, 201);
    expect(answer).toMatchObject({
      status: 'success',
      relation_type: 'PREFERS_OVER',
      strength: 0.8,
      context: 'work',
      reason: 'speed',
    });
    expect(answer).not.toHaveProperty('role');
    expect(await relationsOf('a')).toMatchObject([
      { type: 'PREFERS_OVER', direction: 'outgoing', strength: 0.8, context: 'work', memory: { id: idOf('b') } },
    ]);
    expect(await relationsOf('b')).toMatchObject([{ direction: 'incoming', memory: { id: idOf('a') } }]);
  });
  test('uses RELATES_TO with strength 0.5 by default, and replaces an existing edge of the same type', async () => {
    expect(await request('POST /associate', edge('c', 'd'), 201)).toMatchObject({
      relation_type: 'RELATES_TO',
      strength: 0.5,
    });
    await request('POST /associate', edge('c', 'd', { strength: 1 }), 201);
    expect(await relationsOf('d')).toMatchObject([{ strength: 1 }]);
  });
  test.each([
    ['memory1_id', { memory2_id: UNKNOWN }],
    ['memory2_id', { memory1_id: UNKNOWN }],
    ['memory1_id', { memory1_id: 'x', memory2_id: UNKNOWN }],
    ['memory2_id', { memory1_id: UNKNOWN, memory2_id: UNKNOWN }],
    ['type', { memory1_id: UNKNOWN, memory2_id: UNKNOWN.replace('4', '5'), type: 'SIMILAR_TO' }],
    ['type', { memory1_id: UNKNOWN, memory2_id: UNKNOWN.replace('4', '5'), type: '}) DETACH DELETE n //' }],
    ['strength', { memory1_id: UNKNOWN, memory2_id: UNKNOWN.replace('4', '5'), strength: 2 }],
    [
      'confidence',
      { memory1_id: UNKNOWN, memory2_id: UNKNOWN.replace('4', '5'), type: 'EXEMPLIFIES', confidence: 'sure' },
    ],
  ])('rejects an invalid %s', async (field, body) => {
    expect(await request('POST /associate', body, 400)).toMatchObject({ field });
  });
  test('answers 404 when one of the memories does not exist', async () => {
    expect(await request('POST /associate', { memory1_id: idOf('a'), memory2_id: UNKNOWN }, 404)).toMatchObject({
      message: 'One or both memories do not exist',
    });
  });
});

describe('POST /associate with a list', () => {
  test('answers 201 when all items succeed', async () => {
    const answer = await request(
      'POST /associate',
      { associations: [edge('a', 'c', { type: 'LEADS_TO' }), edge('c', 'b')] },
      201,
    );
    expect(answer).toMatchObject({
      status: 'success',
      created_count: 2,
      failed_count: 0,
      summary: '2/2 associations created successfully',
    });
    expect(answer.succeeded[0]).toEqual({
      index: 0,
      memory1_id: idOf('a'),
      memory2_id: idOf('c'),
      relation_type: 'LEADS_TO',
      strength: 0.5,
    });
  });
  test('answers 207 when some items fail', async () => {
    const associations = [edge('a', 'a'), edge('a', 'd'), { memory1_id: idOf('a'), memory2_id: UNKNOWN }, 'nonsense'];
    const answer = await request('POST /associate', { associations }, 207);
    expect(answer).toMatchObject({ status: 'partial_success', created_count: 1, failed_count: 3 });
    expect(answer.failed.map((each: { index: number }) => each.index)).toEqual([0, 2, 3]);
    expect(answer.failed[1].reason).toBe('One or both memories do not exist');
  });
  test('rejects an empty list and a list that is too long', async () => {
    expect(await request('POST /associate', { associations: [] }, 400)).toMatchObject({ field: 'associations' });
    const associations = Array.from({ length: 501 }, () => edge('a', 'b'));
    expect(await request('POST /associate', { associations }, 400)).toMatchObject({ field: 'associations' });
  });
});

describe('GET /memories/:id/related', () => {
  const related = async (name: string, query = '') => {
    const answer = await request(`GET /memories/${idOf(name)}/related${query}`);
    return answer.related_memories.map(
      (memory: { id: string; depth: number }) => `${nameOf(memory.id)}${memory.depth}`,
    );
  };
  beforeAll(async () => {
    await store({
      p: { content: 'p' },
      q: { content: 'q' },
      r: { content: 'r', importance: 0.9 },
      s: { content: 's', importance: 0.1 },
      alone: { content: 'alone' },
    });
    const associations = [
      edge('p', 'q', { type: 'PART_OF' }),
      edge('r', 'q', { type: 'LEADS_TO' }),
      edge('p', 's'),
      edge('s', 'r'),
    ];
    await request('POST /associate', { associations }, 201);
  });
  test('follows edges in both directions, most important memories first', async () => {
    expect(await related('p')).toEqual(['q1', 's1']);
    expect(await related('p', '?max_depth=2')).toEqual(['r2', 'q1', 's1']);
    expect(await related('r', '?max_depth=3&limit=2')).toEqual(['q1', 'p2']);
  });
  test('follows only edges of the requested types, and ignores unknown types', async () => {
    expect(await related('p', '?relationship_types=part_of,nonsense')).toEqual(['q1']);
    expect(await related('p', '?relationship_types=nonsense')).toEqual(['q1', 's1']);
  });
  test('returns the content and the edge of each memory, and echoes the parameters', async () => {
    const answer = await request(`GET /memories/${idOf('p')}/related?max_depth=9&limit=3`);
    expect(answer).toMatchObject({ status: 'success', memory_id: idOf('p'), count: 3, max_depth: 3, limit: 3 });
    expect(answer.relationship_types).toHaveLength(11);
    expect(answer.related_memories[1]).toMatchObject({
      content: 'q',
      relation: { type: 'PART_OF', direction: 'outgoing' },
    });
  });
  test('answers 404 for an unknown memory and rejects a malformed id', async () => {
    const { error } = await request(`GET /memories/${UNKNOWN}/related`, undefined, 404);
    expect(error).toBe(`Memory not found: ${UNKNOWN}`);
    expect(await request(`GET /memories/${idOf('alone')}/related`)).toMatchObject({ count: 0, related_memories: [] });
    await request('GET /memories/x/related', undefined, 400);
    expect(await request(`GET /memories/${UNKNOWN}/related?limit=x`, undefined, 400)).toMatchObject({ field: 'limit' });
  });
});
