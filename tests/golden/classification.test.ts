/**
 * Classification by words on the labelled sentences, as precision / recall. `none` means that no cue should match.
 *
 *                 development (141)   held out (67)
 *   accuracy            1.00              0.97
 *   Decision         1.00 / 1.00       1.00 / 0.78
 *   none             1.00 / 1.00       0.89 / 1.00
 *   the others       1.00 / 1.00       1.00 / 1.00
 *
 * The accuracy of the previous cues was 0.81 and 0.93. The missed sentences are decisions in unusual words ("final
 * call: no releases").
 */
import { expect, test } from 'vitest';
import { classifyByPatterns } from '../../src/enrichment/classify/cues.js';
import { DEVELOPMENT_TYPES, HELD_OUT_TYPES, type Label, measureTypes, type Outcome } from './classification.js';

const classify = (text: string): Label => classifyByPatterns(text)?.type ?? 'none';

function lowest({ byLabel }: Outcome, of: 'precision' | 'recall'): number {
  return Math.min(...Object.values(byLabel).map(figures => figures[of]));
}

test('classification is accurate on the sentences that the cues were tuned on', () => {
  const outcome = measureTypes(classify, DEVELOPMENT_TYPES);
  expect(outcome.accuracy).toBeGreaterThanOrEqual(0.98);
  expect(lowest(outcome, 'precision')).toBeGreaterThanOrEqual(0.95);
  expect(lowest(outcome, 'recall')).toBeGreaterThanOrEqual(0.9);
});

test('classification is accurate on the held-out sentences', () => {
  const outcome = measureTypes(classify, HELD_OUT_TYPES);
  expect(outcome.accuracy).toBeGreaterThanOrEqual(0.95);
  expect(lowest(outcome, 'precision')).toBeGreaterThanOrEqual(0.85);
  expect(lowest(outcome, 'recall')).toBeGreaterThanOrEqual(0.75);
});

test('the sets are large enough, have no sentence in common, and include enough sentences without a cue', () => {
  const developed = new Set(DEVELOPMENT_TYPES.map(({ text }) => text));
  expect(HELD_OUT_TYPES.filter(({ text }) => developed.has(text))).toEqual([]);
  expect(HELD_OUT_TYPES.length).toBeGreaterThanOrEqual(50);
  expect(DEVELOPMENT_TYPES.length).toBeGreaterThanOrEqual(90);
  expect([...DEVELOPMENT_TYPES, ...HELD_OUT_TYPES].filter(({ label }) => label === 'none').length).toBeGreaterThan(40);
});
