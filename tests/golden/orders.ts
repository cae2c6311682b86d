/**
 * Expected order of the results of selected questions. Three questions also have the score parts of their results. A
 * test that compares these values shows the effect of changed weights or evidence.
 */
import type { ScoreComponents } from '../../src/domain/recall.js';
import EXPECTED from './orders.json' with { type: 'json' };

export interface ExpectedOrder {
  query: string;
  /** Names of the results, best first. */
  results: readonly string[];
  /** Score parts of each result. A missing part is 0. */
  parts?: readonly Partial<ScoreComponents>[];
}

export const ORDERS: readonly ExpectedOrder[] = EXPECTED;
