/**
 * Measures which memories the hooks give to an assistant, for prompts that memories answer, prompts that no memory
 * answers, and prompts that a machine wrote.
 *
 *   npm run build && node tests/bench/hooks.mjs [--provider hash|local] [--model FOLDER] [--dist FOLDER] [--corpus FILE] [--missed]
 *
 * Each prompt starts a separate conversation. `--missed` lists the prompts that got a wrong memory, the answerable
 * prompts that got no right memory, and the starts whose first five memories lack the right preference.
 * Without `--corpus` both corpora of tests/hooks/corpus are measured, and then the starts of tests/hooks/starts.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
    corpus: { type: 'string' },
    missed: { type: 'boolean', default: false },
  },
});
const out = line => process.stdout.write(`${line}\n`);
const inDist = path => import(pathToFileURL(join(resolve(flags.dist), path)).href);
const { loadConfig, openEngine } = await inDist('index.js');
const { readNewMemory } = await loadTypeScript(new URL('../../src/api/memory-requests.ts', import.meta.url));

const FOLDER = fileURLToPath(new URL('../hooks/corpus', import.meta.url));
const files = flags.corpus ? [resolve(flags.corpus)] : readdirSync(FOLDER).map(name => join(FOLDER, name));

for (const file of files) {
  const corpus = JSON.parse(readFileSync(file, 'utf8'));
  const answers = await answersOf(corpus);
  out(`${file.split('/').at(-1)}, ${flags.provider}:`);
  report(answers);
  if (flags.missed) answers.forEach(showMissed);
}

const STARTS = fileURLToPath(new URL('../hooks/starts', import.meta.url));
for (const name of flags.corpus ? [] : readdirSync(STARTS)) {
  const outcomes = await outcomesOf(JSON.parse(readFileSync(join(STARTS, name), 'utf8')));
  out(`starts, ${name}, ${flags.provider}:`);
  reportStarts(outcomes);
}

/** Opens an empty memory for a measurement, and removes it afterwards. */
async function withEngine(measure) {
  const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const env = { ENGRAPH_DATA_DIR: dataDir, EMBEDDING_PROVIDER: flags.provider, LOG_LEVEL: 'warn' };
  const model = flags.model && { LOCAL_EMBEDDING_PATH: resolve(flags.model) };
  const engine = await openEngine(loadConfig({ ...env, ...model }));
  try {
    return await measure(engine);
  } finally {
    await engine.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function outcomesOf({ memories, starts }) {
  const sets = Object.entries(memories).map(([name, written]) =>
    withEngine(async engine => {
      const ids = new Map();
      for (const { id: own, replaces, ...fields } of written) {
        const memory = readNewMemory(fields, engine.limits);
        const stored = await engine.store(memory, replaces && { oldId: ids.get(replaces), type: 'EVOLVED_INTO' });
        ids.set(own, stored.memory.id);
      }
      await engine.idle();
      const names = new Map([...ids].map(([own, id]) => [id, own]));
      const outcomes = [];
      for (const [index, start] of starts.filter(each => each.memories === name).entries()) {
        const { project, formerNames = [] } = start;
        const sessionId = `start-${index}`;
        const startedMs = performance.now();
        await engine.hooks.sessionStart({ sessionId, ...(project && { project: { name: project, formerNames } }) });
        const durationMs = performance.now() - startedMs;
        const [{ injections }] = await engine.hooks.log({ limit: 1, sessionId });
        const given = injections.flatMap(({ memories: all }) => all.map(({ id }) => names.get(id)));
        const tokens = injections.reduce((sum, each) => sum + each.tokens, 0);
        outcomes.push({ ...start, given, tokens, durationMs });
      }
      return outcomes;
    }),
  );
  return Promise.all(sets).then(all => all.flat());
}

function reportStarts(outcomes) {
  const isServed = ({ given, right }) => given.slice(0, 5).includes(right);
  const tokens = outcomes.map(each => each.tokens).sort((a, b) => a - b);
  const times = outcomes.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const replaced = outcomes.filter(({ given, replaced: old }) => given.includes(old));
  out(`  right preference in first five  ${outcomes.filter(isServed).length} of ${outcomes.length}`);
  out(`  replaced preferences given      ${replaced.length}`);
  out(`  tokens a start                  median ${tokens[Math.floor(tokens.length / 2)]}, most ${tokens.at(-1)}`);
  out(
    `  time in ms                      p50 ${times[Math.floor(times.length / 2)].toFixed(1)}, most ${times.at(-1).toFixed(1)}`,
  );
  if (!flags.missed) return;
  for (const { project, right, why, given } of outcomes.filter(each => !isServed(each)))
    out(`  ${project}: ${right} (${why}) is not among ${given.slice(0, 5).join(', ')}`);
}

function answersOf({ memories, prompts }) {
  return withEngine(async engine => {
    const inputs = memories.map(({ id: _, ...memory }) => readNewMemory(memory, engine.limits));
    const stored = await engine.storeMany(inputs);
    await engine.idle();
    const names = new Map(stored.memories.map(({ id }, index) => [id, memories[index].id]));
    const contents = new Map(memories.map(({ id, content }) => [id, content]));
    const answers = [];
    for (const [index, prompt] of prompts.entries()) {
      const sessionId = `prompt-${index}`;
      const startedMs = performance.now();
      await engine.hooks.prompt({ sessionId, text: prompt.text });
      const durationMs = performance.now() - startedMs;
      const [session] = await engine.hooks.log({ limit: 1, sessionId });
      // What a conversation gets at its start is measured apart.
      const injections = session.injections.filter(({ event }) => event === 'prompt');
      const injected = injections.flatMap(({ memories: all }) => all.map(({ id }) => names.get(id)));
      const tokens = injections.reduce((sum, each) => sum + each.tokens, 0);
      answers.push({ ...prompt, injected, tokens, durationMs, contents });
    }
    return answers;
  });
}

function report(answers) {
  const of = kind => answers.filter(answer => answer.kind === kind);
  const injections = answers.flatMap(({ injected, relevant, alsoFine }) =>
    injected.map(id => relevant.includes(id) || alsoFine.includes(id)),
  );
  const served = of('answerable').filter(({ injected, relevant }) => injected.some(id => relevant.includes(id)));
  const disturbed = of('unanswerable').filter(({ injected, alsoFine }) => injected.some(id => !alsoFine.includes(id)));
  const touched = of('machine').filter(({ injected }) => injected.length > 0);
  const tokens = answers.map(answer => answer.tokens).sort((a, b) => a - b);
  const times = answers.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const p95 = sorted => sorted[Math.floor(sorted.length * 0.95)];
  const share = (part, whole) => (whole === 0 ? '–' : (part / whole).toFixed(3));
  const mean = tokens.reduce((sum, each) => sum + each, 0) / tokens.length;
  out(
    `  injections that are right       ${share(injections.filter(Boolean).length, injections.length)} of ${injections.length}`,
  );
  out(
    `  answerable prompts served       ${share(served.length, of('answerable').length)} of ${of('answerable').length}`,
  );
  out(
    `  unanswerable prompts disturbed  ${share(disturbed.length, of('unanswerable').length)} of ${of('unanswerable').length}`,
  );
  out(`  machine prompts touched         ${touched.length} of ${of('machine').length}`);
  out(`  tokens a prompt                 mean ${mean.toFixed(1)}, p95 ${p95(tokens)}, most ${tokens.at(-1)}`);
  out(
    `  time in ms                      p50 ${times[Math.floor(times.length / 2)].toFixed(1)}, p95 ${p95(times).toFixed(1)}`,
  );
}

function showMissed({ kind, text, injected, relevant, alsoFine, contents }) {
  const wrong = injected.filter(id => !relevant.includes(id) && !alsoFine.includes(id));
  const isMissed = kind === 'answerable' && !injected.some(id => relevant.includes(id));
  if (wrong.length === 0 && !isMissed) return;
  out(`\n  ${kind}: ${text.slice(0, 300)}`);
  for (const id of wrong) out(`    WRONG  ${id} ${contents.get(id)}`);
  if (isMissed) for (const id of relevant) out(`    MISSED ${id} ${contents.get(id)}`);
}
