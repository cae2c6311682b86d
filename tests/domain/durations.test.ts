/** Histograms of durations, and their Prometheus format. */
import { expect, test } from 'vitest';
import { createDurationCounter, DURATION_BOUNDS_MS } from '../../src/domain/reports.js';
import { durationText } from '../../src/http/metrics/engine-metrics.js';
import { readMetrics, sampleValue } from '../http/metrics-text.js';

test('durations: a value equal to a bound counts in its bucket, and a value above all bounds only in the total', () => {
  const counter = createDurationCounter();
  for (const durationMs of [0, 1, 1.001, 25, 10_000, 10_001]) counter.add(durationMs);
  const { counts, total, sumMs } = counter.read();
  expect(Object.fromEntries(DURATION_BOUNDS_MS.map((boundMs, index) => [boundMs, counts[index]]))).toMatchObject({
    1: 2,
    2.5: 1,
    5: 0,
    25: 1,
    10000: 1,
  });
  expect([total, sumMs]).toEqual([6, 20_028.001]);
});

test('durations: a snapshot does not change when values are added', () => {
  const counter = createDurationCounter();
  const before = counter.read();
  counter.add(1);
  expect([before.total, before.counts[0], counter.read().total]).toEqual([0, 0, 1]);
});

test('durations: a histogram has cumulative buckets with bounds in seconds', () => {
  const counter = createDurationCounter();
  for (const durationMs of [1, 3, 400, 60_000]) counter.add(durationMs);
  const samples = readMetrics(durationText('test_duration_seconds', 'A test.', counter.read()));
  const bucket = (le: string) => sampleValue(samples, 'test_duration_seconds_bucket', { le });
  expect(['0.001', '0.0025', '0.005', '0.25', '0.5', '10', '+Inf'].map(bucket)).toEqual([1, 1, 2, 2, 3, 3, 4]);
  expect(sampleValue(samples, 'test_duration_seconds_sum')).toBeCloseTo(60.404);
  expect(sampleValue(samples, 'test_duration_seconds_count')).toBe(4);
});
