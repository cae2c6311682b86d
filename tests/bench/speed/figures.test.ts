/** The table and chart that `npm run bench` makes from given figures. */
import { describe, expect, test } from 'vitest';
import { svgChart } from './chart.mjs';
import { replaceFigures } from './document.mjs';
import { elementsOf } from './svg-elements.js';
import { markdownTable, type Run } from './table.mjs';

const BARE = { name: 'bare stores: words and vectors side by side', unit: 'ms' };
const RUN: Run = {
  machine: {
    processor: 'Chip <"A&B">',
    cores: 2,
    memoryGiB: 24,
    node: 'v20.1.0',
    system: 'linux x64',
    date: '2026-01-02',
  },
  loadBefore: ['0.11', '0.22', '0.33'],
  loadAfter: ['1.11', '1.22', '1.33'],
  queries: 200,
  results: [
    {
      size: 10_000,
      filledOn: '2026-01-01',
      figures: [
        { name: 'recall', unit: 'ms', p50: 7.183, p95: 11.75, isRecall: true },
        { name: 'get <one> | "any"', unit: 'ms', p50: 0.214, p95: 0.9 },
        { ...BARE, p50: 4.416, p95: 6.071 },
        { name: 'close', unit: 'ms', value: 131 },
      ],
    },
    {
      size: 1_000_000,
      filledOn: '2026-01-02',
      figures: [
        { name: 'recall', unit: 'ms', p50: 1234.5, p95: 2400.4, isRecall: true },
        { ...BARE, p50: 33.31, p95: 41.12 },
      ],
    },
  ],
};

describe('the table', () => {
  test('has a row for each operation, with all its figures', () => {
    const lines = markdownTable(RUN).split('\n');
    expect(lines.slice(0, 6)).toEqual([
      '|  | 10,000 memories | 1,000,000 memories |',
      '| --- | ---: | ---: |',
      '| recall, ms | 7.18 / 11.8 | 1,235 / 2,400 |',
      '| get <one> \\| "any", ms | 0.21 / 0.90 | – |',
      '| bare stores: words and vectors side by side, ms | 4.42 / 6.07 | 33.3 / 41.1 |',
      '| close, ms | 131 | – |',
    ]);
  });
  test('states where and how the figures were measured', () => {
    const below = markdownTable(RUN).split('\n').slice(6).join(' ');
    expect(below).toContain('Chip <"A&B">, 2 cores, 24 GiB, Node 20.1.0, linux x64, 2026-01-02.');
    expect(below).toContain('Load average 0.11, 0.22, 0.33 before and 1.11, 1.22, 1.33 after the run.');
    expect(below).toContain('10,000 on 2026-01-01, 1,000,000 on 2026-01-02.');
  });
  test('replaces the former figures in a document, and changes nothing when written again', () => {
    const text = '# A\n<!-- figures of npm run bench -->\nold\n<!-- end of the figures -->\nB\n';
    const once = replaceFigures(text, 'new');
    expect(once).toBe(text.replace('old', 'new'));
    expect(replaceFigures(once, 'new')).toBe(once);
    expect(() => replaceFigures('# A', 'new')).toThrow('no place for figures');
  });
});

describe('the chart', () => {
  test('is well-formed XML even if names contain special characters', () => {
    const elements = elementsOf(svgChart(RUN));
    expect(elements[0]).toMatchObject({ name: 'svg', attributes: { xmlns: 'http://www.w3.org/2000/svg' } });
    expect(svgChart(RUN)).toContain('get &lt;one&gt; | &quot;any&quot;');
    expect(() => elementsOf('<svg><g></svg>')).toThrow();
    expect(() => elementsOf('<svg>a & b</svg>')).toThrow('not well-formed');
  });
  test('draws a bar and a whisker for every median, and states the figures, the sizes and the machine', () => {
    const chart = svgChart(RUN);
    const elements = elementsOf(chart);
    const drawn = (name: string, kind: string) =>
      elements.filter(({ name: tag, attributes }) => tag === name && attributes.class === kind);
    // The legend contains one more bar and one more whisker.
    expect(drawn('rect', 'bar')).toHaveLength(3 + 1);
    expect(drawn('path', 'whisker')).toHaveLength(3 + 1);
    for (const text of ['7.18', '1,235', '0.21', '10,000', '1,000,000']) expect(chart).toContain(`>${text}</text>`);
    expect(chart).toContain('median 7.18 ms, 95th percentile 11.8 ms');
    expect(chart).toContain('Chip &lt;&quot;A&amp;B&quot;&gt;, 2 cores');
  });
  test('draws the times of the bare stores only for recalls', () => {
    const bare = elementsOf(svgChart(RUN)).filter(({ attributes }) => attributes.class === 'bare');
    expect(bare).toHaveLength(1 + 1);
  });
  test('draws bars on a logarithmic scale, so that a tenfold time always adds the same length', () => {
    const heights = elementsOf(svgChart(withMedians([1, 10, 100])))
      .filter(({ name, attributes }) => name === 'rect' && attributes.class === 'bar')
      .slice(1)
      .map(({ attributes }) => Number(attributes.height));
    const [low = 0, middle = 0, high = 0] = heights;
    expect(middle).toBeGreaterThan(low);
    expect(high - middle).toBeCloseTo(middle - low, 0);
  });
});

function withMedians(medians: readonly number[]): Run {
  const results = medians.map((p50, index) => ({
    size: 10 ** (index + 1),
    filledOn: '2026-01-01',
    figures: [{ name: 'recall', unit: 'ms', p50, p95: p50 * 1.5 }],
  }));
  return { ...RUN, results };
}
