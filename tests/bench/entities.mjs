/**
 * Measures the recognition of names in memories: precision, recall and F1 on each labelled set, and the duration of one
 * call.
 *
 *   node tests/bench/entities.mjs [--missed]
 *
 * In the "unlisted" sets, names are replaced by names that no list contains. Other work on the machine increases the
 * wall-clock times. The CPU times cover only this process, including its garbage collector and compiler.
 * `--missed` lists every difference from the labels.
 */
import { parseArgs } from 'node:util';
import { loadTypeScript } from './load-typescript.mjs';

const { values: flags } = parseArgs({ options: { missed: { type: 'boolean', default: false } } });
const out = line => process.stdout.write(`${line}\n`);
const load = path => loadTypeScript(new URL(path, import.meta.url));

const { recognizeEntities } = await load('../../src/enrichment/entities/recognize.ts');
const { measure, precisionOf, recallOf } = await load('../golden/entities.ts');
const { underUnlistedNames } = await load('../golden/unlisted-names.ts');
const { entityTag } = await load('../../src/domain/entity.ts');
const listed = {
  development: (await load('../golden/entities.ts')).DEVELOPMENT,
  'held out': (await load('../golden/entities.ts')).HELD_OUT,
  'plain notes': (await load('../golden/entities.ts')).PLAIN_NOTES,
};
const sets = { ...listed };
for (const [name, set] of Object.entries(listed)) sets[`${name}, unlisted`] = underUnlistedNames(set);

function harmonicMean({ right, wrong, missed }) {
  return (2 * right) / (2 * right + wrong + missed);
}

for (const [name, set] of Object.entries(sets)) {
  out(`${name} (${set.length}): precision / recall / F1`);
  for (const [kind, counts] of Object.entries(measure(recognizeEntities, set))) {
    const shares = [precisionOf(counts), recallOf(counts)].map(share => share.toFixed(2));
    out(`  ${kind.padEnd(14)} ${shares.join(' / ')} / ${harmonicMean(counts).toFixed(3)}`);
  }
  if (flags.missed) listDifferences(set);
}

function listDifferences(set) {
  for (const { text, entities } of set) {
    const found = new Set(recognizeEntities(text).map(entityTag));
    const labelled = new Set(entities.map(entityTag));
    const wrong = [...found].filter(tag => !labelled.has(tag));
    const missed = [...labelled].filter(tag => !found.has(tag));
    if (wrong.length + missed.length > 0)
      out(`  ${text}\n    wrong: ${wrong.join(' ')}\n    missed: ${missed.join(' ')}`);
  }
}

const CALLS = 2_000;
const notes = `${listed['plain notes'].map(({ text }) => text).join(' ')} `;

const sum = ({ user, system }) => (user + system) / 1_000;

/** Sorted durations of single calls on texts of one length, in milliseconds of wall-clock time and of CPU time. */
function time(length) {
  const source = notes.repeat(Math.ceil((length + 3_000) / notes.length));
  const texts = Array.from({ length: CALLS }, (_, call) => source.slice((call * 37) % 3_000).slice(0, length));
  for (const text of texts.slice(0, CALLS / 4)) recognizeEntities(text);
  const wallMs = [];
  const processorMs = [];
  for (const text of texts) {
    const processorBefore = process.cpuUsage();
    const startMs = performance.now();
    recognizeEntities(text);
    wallMs.push(performance.now() - startMs);
    processorMs.push(sum(process.cpuUsage(processorBefore)));
  }
  return { wallMs: wallMs.sort((a, b) => a - b), processorMs: processorMs.sort((a, b) => a - b) };
}

out('characters: median and p99 by the clock, median and p99 of the processor, in milliseconds');
for (const length of [100, 1_000, 10_000, 100_000, 1_000_000]) {
  const { wallMs, processorMs } = time(length);
  const quantiles = times => [0.5, 0.99].map(share => times[CALLS * share].toFixed(3)).join(' / ');
  out(`${String(length).padStart(9)}: ${quantiles(wallMs)}, ${quantiles(processorMs)}`);
}
