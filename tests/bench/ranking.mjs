/**
 * Measures the ranking on sets of conversations, with any constants and weights, and shows how the figures differ
 * between conversations.
 *
 *   npm run build && node tests/bench/ranking.mjs --locomo FILE --beam FILE [--provider hash|local] [--model FOLDER]
 *     [--folder FOLDER] [--set '{"shareInTalk":0}'] [--weights '{"meaning":2}'] [--ablate]
 *
 * `--folder` keeps the stored sets for later runs. `--ablate` repeats the measurement with each constant at a value at
 * which its rule has no effect.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { evaluate, meanOf, openSet, readBeam, readLocomo } from './ranking-sets.mjs';

const { values: flags } = parseArgs({
  options: {
    locomo: { type: 'string' },
    beam: { type: 'string' },
    provider: { type: 'string', default: process.env.EMBEDDING_PROVIDER ?? 'hash' },
    model: { type: 'string', default: process.env.LOCAL_EMBEDDING_PATH },
    code: { type: 'string', default: fileURLToPath(new URL('../../build', import.meta.url)) },
    folder: { type: 'string' },
    set: { type: 'string', default: '{}' },
    weights: { type: 'string', default: '{}' },
    ablate: { type: 'boolean', default: false },
  },
});

/** The values at which the rules have no effect. The weight of a date acts during the search, so `--set` changes it. */
const NEUTRAL = {
  lengthShare: 0,
  presenceSoonAfter: 0,
  shareOfNeighbour: 0,
  shareInTalk: 0,
  shareOfUnlikely: 1,
  coveragePower: 1,
};

const out = line => process.stdout.write(`${line}\n`);
const figures = rows => {
  const { r5, r10, r20, mrr } = meanOf(rows);
  return [r5, r10, r20, mrr].map(value => value.toFixed(1)).join(' / ');
};

async function measure(label, units, folder) {
  const { RANKING } = await import(pathToFileURL(join(resolve(flags.code), 'recall/ranking-constants.js')).href);
  Object.assign(RANKING, JSON.parse(flags.set));
  const set = await openSet(units, { ...flags, folder });
  Object.assign(set.settings.weights, JSON.parse(flags.weights));
  const rows = await evaluate(set);
  out(`${label}: recall@5 / recall@10 / recall@20 / MRR`);
  out(`  ${'all'.padEnd(20)} ${figures(rows)}`);
  for (const { name } of units)
    out(`  ${String(name).padEnd(20)} ${figures(rows.filter(({ unit }) => unit === name))}`);
  for (const [name, value] of flags.ablate ? Object.entries(NEUTRAL) : []) {
    const before = RANKING[name];
    RANKING[name] = value;
    out(`  ${`${name} ${value}`.padEnd(20)} ${figures(await evaluate(set))}`);
    RANKING[name] = before;
  }
  await set.close();
}

const folder = flags.folder ?? mkdtempSync(join(tmpdir(), 'engraph-bench-'));
try {
  const kept = name => join(folder, `${name}.${flags.provider}`);
  if (flags.locomo) await measure('LoCoMo', readLocomo(flags.locomo), kept('locomo'));
  if (flags.beam) await measure('BEAM', readBeam(flags.beam), kept('beam'));
} finally {
  if (!flags.folder) rmSync(folder, { recursive: true, force: true });
}
