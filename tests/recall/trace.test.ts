/** The steps of a recall record why they drop a memory, and `why-not` reads these records. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECALL_DEFAULTS, type WhyNotOutcome } from '../../src/domain/recall.js';
import { openTestEngine } from '../support/test-engine.js';

const DIMENSIONS = 64;
const memory = await openTestEngine();
afterAll(memory.close);

const ids = new Map<string, string>();
const idOf = (name: string) => ids.get(name) ?? '';

async function store(name: string, content: string, more: object = {}): Promise<void> {
  const stored = await memory.engine.store({ content, tags: [], metadata: {}, ...more });
  ids.set(name, stored.memory.id);
}

/**
 * A vector with the given cosine to the first axis. The cosine between two such vectors with different axes is the
 * product of their cosines.
 */
function vectorOf(cosine: number, axis: number): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  vector[0] = cosine;
  vector[1 + (axis % (DIMENSIONS - 1))] = Math.sqrt(1 - cosine ** 2);
  return vector;
}

const asked = { query: 'falcon nest', limit: 2 };
const verdict = async (name: string, query: object = asked): Promise<WhyNotOutcome['verdict']> =>
  (await memory.engine.whyNot({ ...DEFAULTS, ...query }, idOf(name))).verdict;
const DEFAULTS = RECALL_DEFAULTS;

beforeAll(async () => {
  await store('best', 'A falcon nest on the tower', { importance: 0.9 });
  await store('second', 'A falcon nest in the quarry', { importance: 0.8 });
  await store('third', 'A falcon nest by the weir', { importance: 0.7 });
  await store('copy', 'A falcon nest by the weir!', { importance: 0.1 });
  await store('other type', 'A falcon nest by the weir', { importance: 0.1, type: 'Decision' });
  await store('old', 'A falcon nest near the mill', { importance: 0.9 });
  await store('new', 'It moved to the bridge');
  await store('elsewhere', 'Bread is baked at four', { tags: ['bakery'] });
  await store('long', `A falcon nest. ${'Nothing else was seen that day. '.repeat(40)}`, { importance: 1 });
  const ends = { memory1_id: idOf('old'), memory2_id: idOf('new') };
  await memory.engine.associate({ ...ends, type: 'INVALIDATED_BY', strength: 0.9, properties: {} });
  await memory.engine.idle();
});

describe('why-not: the recorded reason', () => {
  test('for a memory without evidence comes from the step score', async () => {
    expect(await verdict('elsewhere')).toEqual({ reason: 'noEvidence' });
  });
  test('for a superseded memory comes from the step supersede and names the successor', async () => {
    expect(await verdict('old')).toEqual({
      reason: 'superseded',
      successorId: idOf('new'),
      relationType: 'INVALIDATED_BY',
    });
  });
  test('for a memory that equals a result in text, tags, type and validity comes from the step "dedupe"', async () => {
    expect(await verdict('copy', { ...asked, limit: 9 })).toEqual({ reason: 'duplicate', twinId: idOf('third') });
    expect(await verdict('other type', { ...asked, limit: 9 })).toMatchObject({ reason: 'returned' });
  });
  test('for a memory beyond the limit comes from the step "page", with the number of candidates', async () => {
    const { verdict: found, rank } = await memory.engine.whyNot({ ...DEFAULTS, ...asked, limit: 1 }, idOf('third'));
    expect(found).toMatchObject({ reason: 'rankedLater', candidateCount: expect.any(Number) });
    expect(rank).toBeGreaterThan(1);
  });
  test('for a memory with too low a score comes from the step "minimum"', async () => {
    expect(await verdict('best', { ...asked, min_score: 50 })).toEqual({ reason: 'belowThreshold' });
  });
  test('for a memory that does not fit into max_tokens comes from the step "budget"', async () => {
    expect(await verdict('long', { ...asked, limit: 9, max_tokens: 100 })).toEqual({ reason: 'overBudget' });
  });
  test('for a memory that fails the filter names the failed part of the filter', async () => {
    expect(await verdict('best', { ...asked, tags: ['bakery'] })).toMatchObject({ reason: 'filteredByTags' });
    expect(await verdict('elsewhere', { ...asked, exclude_tags: ['bakery'] })).toEqual({
      reason: 'filteredByExcludedTags',
    });
    expect(await verdict('best', { ...asked, end: '2001-01-01' })).toEqual({ reason: 'filteredByTime' });
  });
  test('for a returned memory is its place, because no step drops the memory', async () => {
    expect(await verdict('best')).toEqual({ reason: 'returned', place: 1 });
  });
});

test('why-not: a memory that no channel found is scored by its own vector', async () => {
  const asks = { embedding: vectorOf(1, 0), limit: 1 };
  for (let index = 0; index < 150; index++) {
    await store(`near ${index}`, `Near ${index}`, { embedding: vectorOf(0.99, index), tags: ['crowd'] });
  }
  await store('target', 'The target', { embedding: vectorOf(0.98, 3) });
  const { verdict: found, scored } = await memory.engine.whyNot({ ...DEFAULTS, ...asks }, idOf('target'));
  expect(found).toEqual({ reason: 'noCandidate' });
  expect(scored.components.vector).toBeCloseTo(0.98, 6);
});
