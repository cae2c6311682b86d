/** A caller whose recall would have to wait too long learns when to ask again. */
import { expect, onTestFinished, test } from 'vitest';
import { createRecallLine } from '../../src/engine/recall-line.js';
import { createManualClock } from '../support/manual-clock.js';
import { openTestEngine } from '../support/test-engine.js';
import { createGate } from '../support/turns.js';
import { createTestApp, send } from './test-app.js';

test('the answer is a 429 with the header Retry-After, and the others get theirs', async () => {
  const { engine, log, close } = await openTestEngine();
  onTestFinished(close);
  const clock = createManualClock();
  const line = createRecallLine(clock);
  await line.inTurn(async () => clock.advance(2_000));
  const gate = createGate();
  const recall: typeof engine.recall = query =>
    line.inTurn(async () => {
      await gate.pass();
      return engine.recall(query);
    });
  const app = createTestApp({ engine: { ...engine, recall }, log });
  const waiting = Array.from({ length: 15 }, () => send(app, 'GET /recall?query=tea'));
  const { status, headers, body } = await send(app, 'GET /recall?query=tea');
  expect([status, headers.get('retry-after')]).toEqual([429, '6']);
  expect(body).toMatchObject({ status: 'error', code: 429, message: 'Too many recalls at once' });
  gate.open();
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
});
