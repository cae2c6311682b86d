/**
 * Exports N memories and imports them into another folder. Prints seconds, memories a second, the peak resident size of
 * each process, and whether the memories are equal. Run `node tests/bench/transfer.mjs [N]` after `npm run build`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig, openEngine } from '../../build/index.js';
import { startService } from './service.mjs';

const COUNT = Number(process.argv[2] ?? 10_000);
const BATCH = 500;
/** A command that kept the whole file in memory would fail with this heap. */
const SMALL_HEAP = '--max-old-space-size=48';
const BINARY = fileURLToPath(new URL('../../bin/engraph.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'engraph-transfer-'));
const environment = { EMBEDDING_PROVIDER: 'hash', LLM_PROVIDER: 'none', LOG_LEVEL: 'error', PATH: process.env.PATH };
const subjects = ['the harbour', 'the invoice', 'the parser', 'the garden', 'the release', 'the archive', 'the budget'];

async function fill(dataDir) {
  const engine = await openEngine(loadConfig({ ...environment, ENGRAPH_DATA_DIR: dataDir }));
  const ids = [];
  for (let start = 0; start < COUNT; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, COUNT - start) }, (_, offset) => {
      const number = start + offset;
      return {
        content: `Note ${number} about ${subjects[number % subjects.length]}: step ${number * 7} comes after step ${number * 3}.`,
        tags: [`project:${number % 50}`, `kind:${number % 9}`],
        importance: (number % 10) / 10,
        metadata: { number, source: 'bench' },
      };
    });
    const { memories } = await engine.storeMany(batch);
    ids.push(...memories.map(({ id }) => id));
  }
  for (let index = 1; index < ids.length; index += 10) {
    await engine.associate({
      memory1_id: ids[index - 1],
      memory2_id: ids[index],
      type: 'RELATES_TO',
      strength: 0.5,
      properties: {},
    });
  }
  await engine.close();
}

/**
 * Runs a command in a separate process. Resolves with its duration in seconds, its peak resident size in MB, and its
 * output.
 */
function run(dataDir, args, options = '') {
  const startedMs = performance.now();
  const measured = `process.once('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'));`;
  const program = ['--import', `data:text/javascript,${encodeURIComponent(measured)}`, BINARY, ...args];
  const env = { ...environment, ENGRAPH_DATA_DIR: dataDir, NODE_OPTIONS: options };
  const child = spawn(process.execPath, program, { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text));
  return new Promise((resolve, reject) => {
    child.once('close', code => {
      const seconds = (performance.now() - startedMs) / 1000;
      const peakMb = Math.round(Number(/peak (\d+)/.exec(output)?.[1] ?? 0) / 1024);
      if (code === 0) resolve({ seconds, peakMb, output });
      else reject(new Error(output));
    });
  });
}

/** Exports and imports with a heap of 48 MB, while a service has the memory open in another process. */
async function throughServices(from, file) {
  const target = join(folder, 'served');
  const services = [await startService(from), await startService(target)];
  try {
    return {
      'export from a service': await run(from, ['export', `${file}.served`], SMALL_HEAP),
      'import into a service': await run(target, ['import', file], SMALL_HEAP),
    };
  } finally {
    for (const { stop } of services) await stop();
  }
}

const say = line => process.stdout.write(`${line}\n`);

try {
  const [from, to, file] = ['from', 'to', 'memory.jsonl'].map(name => join(folder, name));
  await fill(from);
  const exported = await run(from, ['export', file]);
  const imported = await run(to, ['import', file]);
  const again = await run(to, ['import', file]);
  const opened = await run(to, ['status']);
  const rows = { export: exported, import: imported, 'import again': again, ...(await throughServices(from, file)) };
  say(`${COUNT} memories, a file of ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  for (const [name, { seconds, peakMb }] of Object.entries(rows)) {
    say(`${name}: ${seconds.toFixed(1)} s, ${Math.round(COUNT / seconds)} memories a second, peak ${peakMb} MB`);
  }
  say(`engraph status, which only opens the same memory: peak ${opened.peakMb} MB`);
  say(
    imported.output
      .split('\n')
      .filter(line => /compared/.test(line))
      .join('\n'),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
