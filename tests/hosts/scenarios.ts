/** What is tried in each host, and what must then have reached the model. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { HANDOVER, NUDGE } from '../../src/hooks/turn-end.js';
import type { HostProgram } from './host-programs.js';
import { dataFolder, type Ended, type Lab, type LabOptions } from './lab.js';
import { occurrences } from './reached.js';
import type { MemoryKind } from './seed.js';
import { breakServer, SLOW_MS, slowServer } from './spoiled.js';
import { ANSWER, type ModelRequest } from './stand-ins/model.js';
import { converse, HAS_TERMINAL } from './terminal.js';

export interface Scenario {
  name: string;
  /** Absent if every host is tried. */
  isFor?: (host: HostProgram) => boolean;
  /** Other memories than the few of most scenarios. */
  isLarge?: boolean;
  options?: (host: HostProgram) => Partial<LabOptions>;
  run: (host: HostProgram, lab: Lab) => Promise<Ended[]>;
  /** Memories beside the seeded ones, by their names in the table. */
  memories?: Readonly<Record<string, string>>;
  /** Lines about a problem that the person should see. */
  mayBeSeen?: RegExp;
  /** @param turns requests for an answer in a conversation, in their order */
  check: (turns: readonly ModelRequest[]) => void;
}

const FIRST = 'Which database did we choose for the orders?';
const SECOND = 'On which port does the staging server of the warehouse listen?';
const COURIER = 'We send all parcels with the courier Meridian because it delivers on Saturdays.';
const COURIER_QUESTION = 'Which courier do we send parcels with?';
const FURTHER = ['one', 'two', 'three', 'four', 'five'].map(word => `Please explain step ${word} of the plan.`);
/** Lines that hosts print in any case. */
export const SAID: readonly string[] = [
  ANSWER,
  FIRST,
  SECOND,
  COURIER_QUESTION,
  ...FURTHER,
  'Please explain that.',
  'Please go on.',
];

const once = async (host: HostProgram, lab: Lab) => [await lab.ask(host.first(FIRST))];
const checkLast = (turns: readonly ModelRequest[]) => expectMemories(turns.at(-1));
const checkAnswered = (turns: readonly ModelRequest[]) => expect.soft(turns).toHaveLength(1);
const hasTerminal = () => HAS_TERMINAL;
const checkSecond = (turns: readonly ModelRequest[]) => {
  checkLast(turns);
  expect.soft(occurrences(turns.at(-1), 'port').counts, 'the answer to the second prompt').toEqual([1]);
};

export const SCENARIOS: readonly Scenario[] = [
  { name: 'first prompt, without a terminal', run: once, check: checkLast },
  {
    name: 'second prompt of the session, without a terminal',
    run: async (host, lab) => [await lab.ask(host.first(FIRST)), await lab.ask(host.next(SECOND))],
    check: checkSecond,
  },
  {
    name: 'two prompts at a terminal',
    isFor: hasTerminal,
    run: async (host, lab) => [await converse(host, lab, [FIRST, SECOND])],
    check: checkSecond,
  },
  {
    name: 'a memory that the model stored, in the next session',
    memories: { 'stored memory': COURIER },
    run: async (host, lab) => {
      lab.model.callOnce('store_memory', { content: COURIER, type: 'Decision' });
      const first = await lab.ask([...host.mayCall, ...host.first(FIRST)]);
      return [first, await lab.ask(host.first(COURIER_QUESTION))];
    },
    check: turns => {
      const results = turns.flatMap(({ texts }) => texts.filter(({ role }) => role === 'tool').map(({ text }) => text));
      expect.soft(results.join('\n'), 'the result of store_memory').toContain('stored');
      const given = turns.at(-1)?.texts.filter(({ text }) => text.includes(COURIER)) ?? [];
      expect.soft(given, 'the stored memory').toHaveLength(1);
    },
  },
  {
    name: 'a prompt after a compaction',
    isFor: host => host.compact !== undefined,
    run: async (host, lab) => {
      const before = [await lab.ask(host.first(FIRST)), await lab.ask(host.next('Please explain that.'))];
      return [...before, await lab.ask(host.compact ?? []), await lab.ask(host.next(SECOND))];
    },
    check: turns => {
      const last = turns.at(-1);
      expect.soft(occurrences(last, 'preference').counts, 'the preference').toEqual([1]);
      expect.soft(occurrences(last, 'port').counts, 'the answer to the second prompt').toEqual([1]);
      expect.soft(timesIn(last, HANDOVER), 'the request to store').toBe(1);
    },
  },
  {
    name: 'the sixth prompt of the session',
    isFor: host => host.hasReminder === true,
    run: async (host, lab) => {
      const ended = [await lab.ask(host.first(FIRST))];
      for (const prompt of FURTHER) ended.push(await lab.ask(host.next(prompt)));
      return ended;
    },
    // Claude Code shows what a hook says to the model twice.
    check: turns => expect.soft(timesIn(turns.at(-1), NUDGE, 'user'), 'the reminder').toBe(1),
  },
  {
    name: 'subfolder of the repository',
    run: async (host, lab) => [await lab.ask(host.first(FIRST), join(lab.repository, 'src', 'basket'))],
    check: checkLast,
  },
  {
    name: 'worktree of the repository',
    run: async (host, lab) => [await lab.ask(host.first(FIRST), lab.worktree)],
    check: checkLast,
  },
  {
    name: 'two sessions at once',
    // OpenCode makes its own database in its first session, and fails if two sessions make it at the same time.
    run: async (host, lab) => [
      await lab.ask(host.first(FIRST)),
      ...(await Promise.all([lab.ask(host.first(FIRST)), lab.ask(host.first(FIRST), lab.worktree)])),
    ],
    check: turns => {
      expect.soft(turns).toHaveLength(3);
      for (const turn of turns) expectMemories(turn);
    },
  },
  {
    name: `MCP server that starts after ${SLOW_MS / 1000} s`,
    options: host => ({ spoil: home => slowServer(host.serverFile(home)) }),
    run: once,
    check: checkLast,
  },
  { name: '10,000 memories, cold', isLarge: true, run: once, check: checkLast },
  {
    name: 'MCP server that ends at once',
    options: host => ({ spoil: home => breakServer(host.serverFile(home)) }),
    run: once,
    check: checkLast,
    // The host itself names the server that it could not start.
    mayBeSeen: /MCP issues|engraph.*failed/,
  },
  {
    name: 'data folder that cannot be opened',
    options: () => ({ spoil: replaceDataFolder }),
    run: once,
    check: checkAnswered,
  },
  {
    name: 'data folder that cannot be opened, at a terminal',
    isFor: hasTerminal,
    options: () => ({ spoil: replaceDataFolder }),
    run: async (host, lab) => [await converse(host, lab, [FIRST])],
    check: checkAnswered,
    mayBeSeen: /engraph/i,
  },
  {
    name: 'hooks that the person has not yet trusted',
    isFor: host => host.confirm !== undefined,
    options: () => ({ isUnconfirmed: true }),
    run: once,
    check: checkAnswered,
  },
];

/** The memories of a start and the one that answers the first prompt, each once, and none of another project. */
function expectMemories(request: ModelRequest | undefined): void {
  const most = (kind: MemoryKind) => Math.max(...occurrences(request, kind).counts);
  expect.soft(occurrences(request, 'preference').counts, 'the preference').toEqual([1]);
  expect.soft(most('project'), 'a memory of the project').toBe(1);
  expect.soft(occurrences(request, 'database').counts, 'the answer to the first prompt').toEqual([1]);
  expect.soft(most('other project'), 'memories of another project').toBe(0);
}

function timesIn(request: ModelRequest | undefined, text: string, inRole?: string): number {
  const isIn = (role: string) => inRole === undefined || role === inRole;
  return request?.texts.filter(each => each.text.includes(text) && isIn(each.role)).length ?? 0;
}

async function replaceDataFolder(home: string): Promise<void> {
  await rm(dataFolder(home), { recursive: true });
  await writeFile(dataFolder(home), 'This is not a folder.');
}
