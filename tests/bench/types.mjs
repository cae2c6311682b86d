/**
 * Measures the types that a build gives to notes as assistants write them, through the engine: first from their words,
 * then, once the background work is done, also from labelled examples if the embedder understands meaning.
 *
 *   npm run build && node tests/bench/types.mjs [--provider hash|local] [--model FOLDER] [--dist FOLDER] [--missed]
 *
 * The model folder may also come from LOCAL_EMBEDDING_PATH, and the provider from EMBEDDING_PROVIDER. `--missed` lists
 * the notes of the development half with a wrong type. The held-out half is never listed, so that nothing is tuned on it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadTypeScript } from './load-typescript.mjs';

const { values: flags } = parseArgs({
  options: {
    provider: { type: 'string', default: process.env.EMBEDDING_PROVIDER ?? 'hash' },
    model: { type: 'string', default: process.env.LOCAL_EMBEDDING_PATH },
    dist: { type: 'string', default: fileURLToPath(new URL('../../dist', import.meta.url)) },
    missed: { type: 'boolean', default: false },
  },
});
const out = line => process.stdout.write(`${line}\n`);

const { loadConfig, openEngine } = await import(pathToFileURL(join(resolve(flags.dist), 'index.js')).href);
const { measureNotes, readNotes, typesOf } = await loadTypeScript(new URL('../golden/types.ts', import.meta.url));

/** The measurements of the notes: before and after the background work. */
async function measure(notes) {
  const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const config = loadConfig({
    ENGRAPH_DATA_DIR: dataDir,
    EMBEDDING_PROVIDER: flags.provider,
    LLM_PROVIDER: 'none',
    LOG_LEVEL: 'warn',
    ...(flags.model && { LOCAL_EMBEDDING_PATH: resolve(flags.model) }),
  });
  const engine = await openEngine(config);
  try {
    const { atOnce, later } = await typesOf(engine, notes);
    return [measureNotes(notes, atOnce), measureNotes(notes, later)];
  } finally {
    await engine.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function lineOf({ accuracy, wrongDecisions, wrongPreferences }) {
  return `accuracy ${accuracy.toFixed(3)}, wrong Decision ${wrongDecisions}, wrong Preference ${wrongPreferences}`;
}

for (const half of ['development', 'held-out']) {
  const notes = readNotes(`types-${half}.jsonl`);
  const [atOnce, later] = await measure(notes);
  out(`${half.padEnd(12)} at once: ${lineOf(atOnce)}  (${notes.length} notes)`);
  out(`${''.padEnd(12)} later:   ${lineOf(later)}  (${flags.provider})`);
  if (!flags.missed || half !== 'development') continue;
  for (const { text, label, got } of later.missed) out(`    ${got} instead of ${label}: ${text}`);
}
