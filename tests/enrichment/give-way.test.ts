/** Enrichment pauses while callers wait for a batch to be stored. */
import { expect, test } from 'vitest';
import { type EnrichParts, enrichMemories } from '../../src/enrichment/enrich-memories.js';
import { BY_WORDS } from '../support/judges.js';
import { createManualClock } from '../support/manual-clock.js';
import { createGate, letWorkRun } from '../support/turns.js';

test('enrichment reads nothing until `afterRequests` resolves', async () => {
  const gate = createGate();
  const touched: PropertyKey[] = [];
  const watched = new Proxy({}, { get: (_, name) => void touched.push(name) });
  const parts = {
    graph: watched,
    vectors: watched,
    classifier: watched,
    settings: watched,
    model: 'm',
    judge: BY_WORDS,
  };
  let isDone = false;
  const enriching = enrichMemories(
    { ...parts, clock: createManualClock(), afterRequests: gate.pass } as unknown as EnrichParts,
    [],
    () => {},
  ).then(() => {
    isDone = true;
  });
  await letWorkRun();
  expect([isDone, touched]).toEqual([false, []]);
  gate.open();
  await enriching;
  expect(isDone).toBe(true);
});
