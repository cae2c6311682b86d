/**
 * Measures the speed of each operation at each size, and compares recall with the bare stores. Writes a Markdown table
 * to stdout, and a chart to the file of `--svg`.
 *
 *   npm run bench -- [--sizes 10000,100000,1000000] [--queries 200] [--svg docs/speed.svg] [--doc docs/speed.md]
 *     [--data FOLDER] [--backlog 4000] [--shares]
 *
 * `--doc` replaces the table in a document. `--data` keeps filled stores and uses them again, because filling a million
 * takes long. `--backlog` is the number of memories that are added to each store, and removed again. `--shares` prints
 * on stderr in which parts a recall spends its time. Figures are only comparable within one run. Progress is printed on
 * stderr.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { svgChart } from './speed/chart.mjs';
import { replaceFigures } from './speed/document.mjs';
import { arithmeticMs, describeMachine, loadAverage } from './speed/machine.mjs';
import { measureSize } from './speed/measure.mjs';
import { figureText, markdownTable, numberText } from './speed/table.mjs';

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000' },
    queries: { type: 'string', default: '200' },
    backlog: { type: 'string', default: '4000' },
    data: { type: 'string' },
    svg: { type: 'string' },
    doc: { type: 'string' },
    shares: { type: 'boolean', default: false },
  },
});

const startedMs = performance.now();
const tell = line => {
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  process.stderr.write(`${`${seconds} s`.padStart(7)}  ${line}\n`);
};
const onFigure = figure => tell(`${figure.name}: ${figureText(figure)} ${figure.unit}`.trimEnd());

const queries = wholeNumber('queries');
const settings = { queries, backlog: wholeNumber('backlog'), keptIn: flags.data, showsShares: flags.shares };
const sizes = flags.sizes.split(',').map(size => atLeastOne('sizes', size));
const run = { machine: describeMachine(), loadBefore: loadAverage(), loadAfter: [], queries, results: [] };
tell(`200 million integer steps in ${arithmeticMs().toFixed(0)} ms`);
try {
  for (const size of sizes) {
    tell(`${numberText(size)} memories`);
    run.results.push(await measureSize(size, settings, { onProgress: tell, onFigure }));
  }
} finally {
  // Keeps the measurements made before a failure.
  if (run.results.length > 0) publish();
}

function publish() {
  run.loadAfter = loadAverage();
  const table = markdownTable(run);
  process.stdout.write(`${table}\n`);
  if (flags.svg) writeFileSync(flags.svg, svgChart(run));
  if (flags.doc) writeFileSync(flags.doc, replaceFigures(readFileSync(flags.doc, 'utf8'), table));
}

function wholeNumber(name) {
  return atLeastOne(name, flags[name]);
}

function atLeastOne(name, text) {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} takes whole numbers of at least 1, not ${text}`);
}
