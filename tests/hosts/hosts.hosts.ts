/** What reaches the model, and what a person sees, in the real command line of each host. */
import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { readFailures } from '../../src/cli/hook/input.js';
import { HOST_PROGRAMS, type HostProgram } from './host-programs.js';
import { install } from './install.js';
import { dataFolder, type LabOptions, newFolder, openLab } from './lab.js';
import { reachedBy } from './reached.js';
import { SAID, SCENARIOS, type Scenario } from './scenarios.js';
import { seed } from './seed.js';
import { markdown, type Row, writeTable } from './table.js';

const MANY = 10_000;

const root = await newFolder();
const few = await seed(root, 0);
/** Takes a minute, so it is made only if a scenario needs it. */
let many: Promise<string> | undefined;
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

for (const { host, installed } of hosts) {
  describe(host.title, () => {
    for (const scenario of SCENARIOS.filter(({ isFor }) => isFor?.(host) ?? true)) {
      test(scenario.name, async ({ skip }) => {
        if ('reason' in installed) return skip(installed.reason);
        if (scenario.isLarge) many ??= seed(root, MANY);
        const memories = scenario.isLarge && many ? await many : few;
        const options = { installed: installed.folder, memories, ...scenario.options?.(host) };
        await tryOnce(`${host.title} ${installed.version}`, host, scenario, options);
      });
    }
  });
}

/** Adds a row to the table and checks it. */
async function tryOnce(title: string, host: HostProgram, scenario: Scenario, options: LabOptions): Promise<void> {
  const lab = await openLab(host, options);
  try {
    const ended = await scenario.run(host, lab);
    const left = await lab.left();
    const told = ended.flatMap(each => each.seen).map(line => line.replaceAll(lab.home, '~'));
    const seen = [...new Set(told)].filter(line => !SAID.includes(line));
    const exitCodes = ended.map(({ code }) => code);
    const reached = reachedBy(lab.model.turns.at(-1), scenario.memories);
    rows.push({ host: title, scenario: scenario.name, reached, exitCodes, seen, left });
    scenario.check(lab.model.turns);
    expect
      .soft(
        exitCodes.filter(code => code !== 0),
        'exit codes',
      )
      .toEqual([]);
    expect
      .soft(
        seen.filter(line => !scenario.mayBeSeen?.test(line)),
        'what the person saw',
      )
      .toEqual([]);
    expect.soft(left, 'processes left over').toEqual([]);
    expect.soft(readFailures(dataFolder(lab.home)), 'what the doctor knows about hooks').toEqual([]);
  } finally {
    await lab.close();
  }
}
