/**
 * Measures what the start of `engraph serve` and its first recall take, on an empty memory: processor time, elapsed time,
 * and with FalkorDB the number of statements until five recalls are answered. Compares installations in turn.
 *
 *   npm run build && node tests/bench/first-recall.mjs [FOLDER…] [--falkordb] [--busy] [--rounds 4]
 *
 * FOLDER: a folder with `bin` and `dist`, by default this one. `--busy` keeps every core busy meanwhile. Linux only.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startFalkorServer, temporaryFolders } from './falkor-server.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    falkordb: { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '4' },
  },
});
const START_LIMIT_MS = 60_000;
const TICK_MS = 10;

function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function countStatements(server) {
  if (!server) return undefined;
  const socket = server.url.slice('unix://'.length);
  const statistics = execFileSync('valkey-cli', ['-s', socket, 'info', 'commandstats']).toString();
  const counts = [...statistics.matchAll(/cmdstat_graph\.(?:ro_)?query:calls=(\d+)/gi)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function measureOnce(folder) {
  const folders = temporaryFolders();
  const server = values.falkordb ? await startFalkorServer(folders) : undefined;
  const startedMs = performance.now();
  const arguments_ = [join(folder, 'bin/engraph.js'), 'serve', '--port', '0', '--data-dir', folders.make()];
  const environment = {
    PATH: process.env.PATH,
    EMBEDDING_PROVIDER: 'hash',
    ...(server && { FALKORDB_URL: server.url }),
  };
  const child = spawn(process.execPath, arguments_, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', part => {
    log += part;
  });
  const urlOf = () => /listening on (\S+)/.exec(log)?.[1];
  while (!urlOf() && performance.now() - startedMs < START_LIMIT_MS) await delay(5);
  const startMs = performance.now() - startedMs;
  const recall = async () => {
    const [fromMs, fromProcessorMs] = [performance.now(), processorMs(child.pid)];
    await (await fetch(`${urlOf()}/recall?query=herons+nest&limit=5`)).text();
    return { elapsedMs: performance.now() - fromMs, processorMs: processorMs(child.pid) - fromProcessorMs };
  };
  const first = await recall();
  for (let further = 0; further < 4; further++) await recall();
  const whole = { processorMs: processorMs(child.pid), statements: countStatements(server) };
  child.kill('SIGKILL');
  server?.stop();
  await delay(100);
  folders.remove();
  return { startMs, first, whole };
}

const own = fileURLToPath(new URL('../..', import.meta.url));
const burners = values.busy
  ? Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for(;;);']))
  : [];
for (let round = 0; round < Number(values.rounds); round++) {
  for (const folder of positionals.length > 0 ? positionals : [own]) {
    const { startMs, first, whole } = await measureOnce(folder);
    process.stdout.write(
      `${folder}: listens after ${startMs.toFixed(0)} ms; first recall ${first.processorMs} ms of processor time, ` +
        `${first.elapsedMs.toFixed(0)} ms elapsed; five recalls from the start ${whole.processorMs} ms of processor time` +
        `${whole.statements === undefined ? '' : `, ${whole.statements} statements`}\n`,
    );
  }
}
for (const burner of burners) burner.kill('SIGKILL');
