/** Tests the figures that the page reads from the metrics of the service. */
import { expect, onTestFinished, test } from 'vitest';
import { readMetrics, toSeries } from '../../src/web/state/state-view.js';
import { openTestApp } from '../http/test-app.js';

test('every figure comes from a metric that the service has', async () => {
  const { call, close } = await openTestApp();
  onTestFinished(close);
  await call('POST /memory', { json: { content: 'One memory' } });
  await call('GET /recall?query=memory');
  const read = async (atMs: number) => ({ atMs, metrics: readMetrics((await call('GET /metrics')).body) });
  const first = await read(0);
  await call('GET /recall?query=memory');
  const series = new Map(toSeries([first, await read(2_000)]).map(each => [each.label, each.values]));
  expect([...series.keys()]).toEqual(
    expect.arrayContaining(['Memories', 'Waiting work', 'Requests', 'Recalls', 'Processor', 'Main memory']),
  );
  expect(series.get('Memories')).toEqual([1, 1]);
  expect(series.get('Recalls')).toEqual([0.5]);
});

test('samples of one metric are added up, whatever their labels contain', () => {
  const text = '# HELP a what it is\na{path="/x y",method="GET"} 2\na{path="{}"} 3\n\nb 0.5\nc NaN\n';
  expect([...readMetrics(text)]).toEqual([
    ['a', 5],
    ['b', 0.5],
  ]);
});

test('a counter that starts again at 0 shows no negative growth', () => {
  const readings = [10, 30, 0].map((value, index) => ({
    atMs: index * 1_000,
    metrics: new Map([['engraph_recalls_total', value]]),
  }));
  expect(toSeries(readings)).toEqual([{ label: 'Recalls', unit: '/s', values: [20, 0] }]);
});
