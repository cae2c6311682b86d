/** Ranking of notes stored in bursts. The notes of a burst are about different facts of the same project. */
import { afterAll, describe, expect, test } from 'vitest';
import { countWithoutEvidence, measureRanking } from './measure-ranking.js';
import { BURST_MEMORIES, CROWD } from './memories.js';
import { BURST_QUERIES } from './queries.js';
import { openStored } from './stored-engine.js';
import { BURST_MRR_MIN, BURST_PRECISION_AT_1_MIN, WITHOUT_EVIDENCE_MAX } from './thresholds.js';

const LONGEST_BURST_MS = 6 * 60_000;
const SHORTEST_PAUSE_MS = 3 * 3_600_000;

const crowd = await openStored(CROWD);
afterAll(crowd.close);

const projects = [...new Set(Object.values(BURST_MEMORIES).map(({ tags }) => tags[0]))];
const bursts = projects.map(project => Object.values(BURST_MEMORIES).filter(({ tags }) => tags[0] === project));

describe('the data of the bursts', () => {
  test('contain enough bursts and notes', () => {
    expect(bursts.length).toBeGreaterThanOrEqual(7);
    expect(Object.keys(BURST_MEMORIES).length).toBeGreaterThanOrEqual(60);
    for (const burst of bursts) expect([8, 9]).toContain(burst.length);
  });

  test('have a few minutes between the first and last note of a burst, and hours between bursts', () => {
    const spans = bursts.map(burst => {
      const times = burst.map(({ at }) => Date.parse(at));
      return { from: Math.min(...times), to: Math.max(...times) };
    });
    for (const [index, { from, to }] of spans.entries()) {
      expect(to - from).toBeLessThan(LONGEST_BURST_MS);
      const next = spans[index + 1];
      if (next) expect(next.from - to).toBeGreaterThan(SHORTEST_PAUSE_MS);
    }
  });

  test('contain each question once, and one note that answers it', () => {
    expect(BURST_QUERIES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(BURST_QUERIES.map(({ ask }) => ask)).size).toBe(BURST_QUERIES.length);
    const names = Object.keys(BURST_MEMORIES);
    for (const { expected } of BURST_QUERIES) {
      expect(expected).toHaveLength(1);
      expect(names).toEqual(expect.arrayContaining([...expected]));
    }
  });
});

describe('over all questions about bursts', () => {
  test('the answering note is usually ranked first', async () => {
    const { precisionAt1, meanReciprocalRank } = await measureRanking(crowd, BURST_QUERIES);
    expect(precisionAt1).toBeGreaterThanOrEqual(BURST_PRECISION_AT_1_MIN);
    expect(meanReciprocalRank).toBeGreaterThanOrEqual(BURST_MRR_MIN);
  });

  test('few results have nothing in common with the question', async () => {
    const { share } = await countWithoutEvidence(crowd, BURST_QUERIES);
    expect(share).toBeLessThanOrEqual(WITHOUT_EVIDENCE_MAX);
  });
});
