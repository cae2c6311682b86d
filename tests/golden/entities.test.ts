/**
 * Results of entity recognition on the labelled sentences, as precision / recall:
 *
 *                   development (243)   held out (155)   plain notes (60)   held out, unlisted (93)
 *   people            0.99 / 1.00         0.99 / 0.99       0.92 / 0.81         0.98 / 0.70
 *   organizations     1.00 / 0.93         1.00 / 0.88       1.00 / 0.60         1.00 / 0.58
 *   tools             1.00 / 0.99         0.98 / 0.96       0.92 / 0.66         0.94 / 0.35
 *   projects          1.00 / 0.89         1.00 / 1.00       1.00 / 0.43         1.00 / 1.00
 *   concepts          1.00 / 1.00         0.97 / 0.97       0.92 / 0.92         1.00 / 0.43
 *   all               1.00 / 0.99         0.98 / 0.97       0.93 / 0.72         0.98 / 0.55
 *
 * The author of the recogniser's lists of names also wrote the first two sets. The plain notes were labelled without
 * reading these lists, so they show best how many entities are found in the notes of other people. In the "unlisted"
 * set, names that no list contains replace the original names. tests/bench/entities.md shows the results of libraries
 * on the same sets.
 */
import { describe, expect, test } from 'vitest';
import type { EntityKind } from '../../src/domain/entity.js';
import { recognizeEntities } from '../../src/enrichment/entities/recognize.js';
import { type CountsByKind, DEVELOPMENT, HELD_OUT, measure, PLAIN_NOTES, precisionOf, recallOf } from './entities.js';
import { underUnlistedNames } from './unlisted-names.js';

type Floors = Record<EntityKind | 'all', { precision: number; recall: number }>;

function expectAtLeast(counts: CountsByKind, floors: Floors): void {
  for (const [kind, { precision, recall }] of Object.entries(floors)) {
    const measured = counts[kind as keyof Floors];
    expect.soft(precisionOf(measured), `precision of ${kind}`).toBeGreaterThanOrEqual(precision);
    expect.soft(recallOf(measured), `recall of ${kind}`).toBeGreaterThanOrEqual(recall);
  }
}

describe('entities of the labelled sentences', () => {
  test('are recognised in the sentences that recognition was tuned on', () => {
    expectAtLeast(measure(recognizeEntities, DEVELOPMENT), {
      people: { precision: 0.98, recall: 0.98 },
      organizations: { precision: 0.96, recall: 0.9 },
      tools: { precision: 0.98, recall: 0.97 },
      projects: { precision: 0.99, recall: 0.88 },
      concepts: { precision: 0.98, recall: 0.97 },
      all: { precision: 0.99, recall: 0.98 },
    });
  });

  test('are recognised in the held-out sentences', () => {
    expectAtLeast(measure(recognizeEntities, HELD_OUT), {
      people: { precision: 0.97, recall: 0.97 },
      organizations: { precision: 0.93, recall: 0.85 },
      tools: { precision: 0.96, recall: 0.94 },
      projects: { precision: 0.9, recall: 0.9 },
      concepts: { precision: 0.95, recall: 0.95 },
      all: { precision: 0.97, recall: 0.95 },
    });
  });

  test('are recognised in notes in plain style', () => {
    expectAtLeast(measure(recognizeEntities, PLAIN_NOTES), {
      people: { precision: 0.9, recall: 0.78 },
      organizations: { precision: 0.95, recall: 0.55 },
      tools: { precision: 0.9, recall: 0.63 },
      projects: { precision: 0.95, recall: 0.4 },
      concepts: { precision: 0.9, recall: 0.9 },
      all: { precision: 0.92, recall: 0.7 },
    });
  });

  test('are recognised under names that no list contains', () => {
    expectAtLeast(measure(recognizeEntities, underUnlistedNames(HELD_OUT)), {
      people: { precision: 0.95, recall: 0.67 },
      organizations: { precision: 0.95, recall: 0.55 },
      tools: { precision: 0.9, recall: 0.33 },
      projects: { precision: 0.95, recall: 0.95 },
      concepts: { precision: 0.95, recall: 0.4 },
      all: { precision: 0.96, recall: 0.53 },
    });
  });

  test('come from enough sentences for a meaningful measurement', () => {
    expect(DEVELOPMENT.length).toBeGreaterThanOrEqual(200);
    expect(HELD_OUT.length).toBeGreaterThanOrEqual(60);
    expect(PLAIN_NOTES.length).toBeGreaterThanOrEqual(60);
    expect(underUnlistedNames(HELD_OUT).length).toBeGreaterThanOrEqual(60);
  });

  test('come from sentences that are in one set only', () => {
    const texts = [...DEVELOPMENT, ...HELD_OUT, ...PLAIN_NOTES].map(({ text }) => text);
    expect(texts).toHaveLength(new Set(texts).size);
  });

  test('are not in every sentence: at least a fifth of the sentences, and at least ten plain notes, have none', () => {
    for (const set of [DEVELOPMENT, HELD_OUT]) {
      expect(set.filter(({ entities }) => entities.length === 0).length).toBeGreaterThanOrEqual(set.length / 5);
    }
    expect(PLAIN_NOTES.filter(({ entities }) => entities.length === 0).length).toBeGreaterThanOrEqual(10);
  });
});
