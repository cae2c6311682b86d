/** Observations of a REINFORCES edge: a number, a text or several texts, stored and shown unchanged. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp } from './test-app.js';

const { call, close } = await openTestApp();
afterAll(close);

const ids = [randomUUID(), randomUUID()];
beforeAll(async () => {
  await call('POST /memory', { json: { id: ids[0], content: 'Releases on Fridays go wrong.' } });
  await call('POST /memory', { json: { id: ids[1], content: 'The release of Friday was rolled back.' } });
});
const associate = (observations: unknown) =>
  call('POST /associate', { json: { memory1_id: ids[0], memory2_id: ids[1], type: 'REINFORCES', observations } });

describe('observations of a REINFORCES edge', () => {
  it.each([
    ['a number', 3],
    ['a text', 'seen twice'],
    ['several texts', ['seen on Monday', "with a quote ' and a line\nfeed", '観察']],
    ['several texts, one of them empty and one a digit', ['', '4']],
  ])('given as %s appear in every answer that shows the edge', async (_, observations) => {
    expect((await associate(observations)).body).toMatchObject({ status: 'success', observations });
    const [entry] = (await call(`GET /memory/${ids[0]}`)).body.relations;
    expect(entry).toMatchObject({ type: 'REINFORCES', observations });
    const recalled = (await call('GET /recall?query=releases on fridays&limit=1')).body.results[0];
    expect(recalled.relations[0].observations).toEqual(observations);
    const [related] = (await call(`GET /memories/${ids[0]}/related`)).body.related_memories;
    expect(related.relation.observations).toEqual(observations);
  });

  it('given as an empty list are absent from the answer', async () => {
    expect((await associate([])).body).not.toHaveProperty('observations');
  });

  it.each([
    ['an object', { many: 1 }, /a number, a string or an array of strings/],
    ['a list with a number', ['a', 1], /a number, a string or an array of strings/],
    ['more than 100 texts', Array.from({ length: 101 }, () => 'x'), /at most 100 items, but has 101/],
    ['a text of more than 2,000 characters', ['x'.repeat(2_001)], /at most 2000 characters, but has 2001/],
    ['texts that are too long together', Array.from({ length: 11 }, () => 'x'.repeat(2_000)), /20000.*22000/],
  ])('given as %s are refused', async (_, observations, expected) => {
    const { status, body } = await associate(observations);
    expect([status, body.field]).toEqual([400, 'observations']);
    expect(body.message).toMatch(expected);
  });
});
