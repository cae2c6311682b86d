/**
 * Measures how often a note is found by other forms and spellings of its words, and by questions, in 25 languages. A
 * language model wrote the notes and the questions, and no native speakers have read them.
 *
 *   npm run build && node tests/bench/languages.mjs [--provider hash|local] [--model FOLDER] [--code FOLDER] [--missed]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    provider: { type: 'string', default: 'hash' },
    model: { type: 'string' },
    code: { type: 'string', default: fileURLToPath(new URL('../../build', import.meta.url)) },
    missed: { type: 'boolean', default: false },
  },
});
const fromCode = path => import(pathToFileURL(join(resolve(flags.code), path)).href);
const { loadConfig, openEngine } = await fromCode('index.js');
const { readNewMemory } = await fromCode('api/memory-requests.js');
const { readRecall } = await fromCode('api/recall-request.js');
const linesOf = file =>
  readFileSync(new URL(`../golden/languages/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(JSON.parse);

const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
const engine = await openEngine(
  loadConfig({
    ENGRAPH_DATA_DIR: dataDir,
    EMBEDDING_PROVIDER: flags.provider,
    LOG_LEVEL: 'warn',
    ...(flags.model && { LOCAL_EMBEDDING_PATH: resolve(flags.model) }),
  }),
);
const notes = linesOf('notes.jsonl').map(({ id, content }) =>
  readNewMemory({ content, metadata: { note: id } }, engine.limits),
);
await engine.storeMany(notes);
await engine.idle();
const answered = [];
for (const question of linesOf('questions.jsonl')) {
  const { results } = await engine.recall(readRecall({ query: question.query, limit: 10 }, engine.limits));
  const found = results.map(({ memory }) => memory.metadata.note);
  answered.push({ ...question, found, place: found.indexOf(question.expected) });
}
await engine.close();
rmSync(dataDir, { recursive: true, force: true });

function report(title, some) {
  const within = most => some.filter(({ place }) => place >= 0 && place < most).length;
  const cells = [within(1), within(3)].map(count => `${count} of ${some.length}`.padStart(12));
  process.stdout.write(`${title.padEnd(10)}${cells.join('')}\n`);
}
process.stdout.write(`${flags.provider} vectors${' '.repeat(5)}first   first three\n`);
for (const key of ['language', 'kind']) {
  for (const value of new Set(answered.map(each => each[key])))
    report(
      value,
      answered.filter(each => each[key] === value),
    );
}
report('all', answered);
if (flags.missed) {
  for (const { query, expected, found, place } of answered) {
    if (place !== 0)
      process.stdout.write(`"${query}": ${expected}, found ${found.slice(0, 3).join(' ') || 'nothing'}\n`);
  }
}
