/** What reaches the model, and what a person sees, in the real command line of each host. */
import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { HOST_PROGRAMS } from './host-programs.js';
import { install } from './install.js';
import { newFolder, openLab } from './lab.js';
import { describeReached } from './reached.js';
import { SAID, SCENARIOS } from './scenarios.js';
import { seed } from './seed.js';
import { markdown, type Row, writeTable } from './table.js';

const MANY = 10_000;

const root = await newFolder();
const few = await seed(root, 0);
const many = await seed(root, MANY);
const hosts = await Promise.all(
  HOST_PROGRAMS.map(async host => ({ host, installed: await install(host.package, host.script) })),
);
const rows: Row[] = [];

afterAll(async () => {
  await rm(root, { recursive: true, force: true });
  const missing = hosts.flatMap(({ host, installed }) =>
    'reason' in installed ? [`${host.title} was not tried: ${installed.reason}`] : [],
  );
  const table = markdown(rows, missing);
  if (process.env.UPDATE_HOSTS) await writeTable(table);
  process.stdout.write(`\n${table}\n`);
});

describe.for(hosts)('$host.title', ({ host, installed }) => {
  const scenarios = SCENARIOS.filter(({ isFor }) => isFor?.(host) ?? true);

  test.for(scenarios)('$name', async ({ name, isLarge, options, run, check }, { skip }) => {
    if ('reason' in installed) return skip(installed.reason);
    const memories = isLarge ? many : few;
    const lab = await openLab(host, { installed: installed.folder, memories, ...options?.(host) });
    try {
      const ended = await run(host, lab);
      const left = await lab.left();
      const seen = [...new Set(ended.flatMap(each => each.seen))].filter(line => !SAID.includes(line));
      const exitCodes = ended.map(({ code }) => code);
      const reached = describeReached(lab.model.turns.at(-1));
      rows.push({ host: `${host.title} ${installed.version}`, scenario: name, reached, exitCodes, seen, left });
      check(lab.model.turns);
      expect
        .soft(
          exitCodes.filter(code => code !== 0),
          'exit codes',
        )
        .toEqual([]);
      expect.soft(seen, 'what the person saw').toEqual([]);
      expect.soft(left, 'processes left over').toEqual([]);
    } finally {
      await lab.close();
    }
  });
});
