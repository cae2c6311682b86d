/** POST /memory with `report_similar`: the answer lists memories that say nearly the same. */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { openBrokenApp, openTestApp, send } from './test-app.js';

const { call, engine, close } = await openTestApp();
afterAll(close);
const store = (json: object) => call('POST /memory', { json });

const TEA = 'Ann likes tea with honey in the morning.';
const AGAIN = 'In the morning Ann likes tea with honey.';

describe('report_similar', () => {
  it('lists the memories that say nearly the same, or an empty list', async () => {
    const first = await store({ content: TEA, report_similar: true });
    expect([first.status, first.body.similar]).toEqual([201, []]);
    const { body } = await store({ content: AGAIN, report_similar: 'true' });
    expect(body.similar).toEqual([{ memory_id: first.body.memory_id, content: TEA, similarity: 1 }]);
  });

  it.each([{}, { report_similar: false }, { report_similar: null }])('lists nothing with %j', async fields => {
    expect((await store({ content: AGAIN, ...fields })).body).not.toHaveProperty('similar');
  });

  it('lists neither the new memory nor the memory that it supersedes', async () => {
    const id = randomUUID();
    const content = 'The cellar door sticks in damp weather.';
    await store({ content, id });
    expect((await store({ content, id, report_similar: true })).body.similar).toEqual([]);
    const successor = { content: `${content} Lift it.`, supersedes_memory_id: id, t_valid: '2090-01-01' };
    expect((await store({ ...successor, report_similar: true })).body.similar).toEqual([]);
  });

  it('is ignored in a batch, and must be a boolean', async () => {
    const batch = await call('POST /memory/batch', { json: [{ content: AGAIN, report_similar: true }] });
    expect(batch.body).toMatchObject({ stored: 1 });
    expect((await store({ content: 'x', report_similar: 'perhaps' })).body).toMatchObject({
      code: 400,
      field: 'report_similar',
    });
  });

  it('causes no search for similar memories when it is absent', async () => {
    const { app } = openBrokenApp(engine, { similarTo: () => Promise.reject(new Error('asked')) });
    expect((await send(app, 'POST /memory', { json: { content: 'Not compared.' } })).status).toBe(201);
  });
});
