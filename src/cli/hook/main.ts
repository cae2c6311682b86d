/**
 * `engraph hook EVENT --host NAME`: a host runs it at each event, gives its JSON on stdin, and reads the answer from
 * stdout. This file and its imports are loaded at each prompt, so they load neither the engine nor a package.
 */

import { join } from 'node:path';
import {
  answerWith,
  entryVariables,
  HOOK_EVENTS,
  HOOK_HOSTS,
  type HookEvent,
  type HookHost,
  senderOf,
} from '../../connect/hook-hosts.js';
import { messageOf } from '../../domain/errors.js';
import { fixedDataDir, loadPlace } from '../../memory-place.js';
import type { Environment } from '../../setting-reader.js';
import { askMemory, closed, type HookCall, TooLate } from './ask.js';
import { bodyOf, factsIn, noteFailure, readStdin } from './input.js';

/**
 * Longest wait of a host, in milliseconds from the start of this process. It holds the prompt back for this time, and
 * the end of a session for less.
 */
const BUDGET_MS: Readonly<Record<HookEvent, number>> = {
  'session-start': 3_000,
  prompt: 1_500,
  stop: 1_500,
  'pre-compact': 1_500,
  'session-end': 1_000,
};

const FOR_HOSTS =
  'engraph: a host runs this command and gives its JSON on stdin. \'engraph hook --try "a prompt"\' shows what it would get.\n';

export interface HookArguments {
  event: string | undefined;
  host: string;
  dataDir: string | undefined;
  /** Whether the hook is in a plugin, together with the server's entry. */
  isInPlugin: boolean;
}

/**
 * Runs the hook and ends the process. The exit code is 0, because a host shows every other code as a failure, and with 2
 * Codex would not send the prompt.
 */
export async function runHook(argv: readonly string[]): Promise<void> {
  const given = readArguments(argv);
  const event = HOOK_EVENTS.find(name => name === given.event);
  if (event === undefined) return endWith(usage(given.event), 1);
  const host = HOOK_HOSTS.find(({ name }) => name === given.host);
  if (host === undefined) return endWith(unknownHost(given.host), 1);
  if (process.stdin.isTTY) return endWith(FOR_HOSTS, 1);
  takeOverSettings(given);
  return endWith(await outputOf(event, host, given.dataDir));
}

/** Reads the few arguments by hand, because a parser would take longer to load than this command runs. */
function readArguments(argv: readonly string[]): HookArguments {
  const optionOf = (option: string) => {
    const index = argv.findIndex(word => word === option || word.startsWith(`${option}=`));
    if (index < 0) return undefined;
    return argv[index] === option ? argv[index + 1] : argv[index]?.slice(option.length + 1);
  };
  return {
    event: argv[0]?.startsWith('-') ? undefined : argv[0],
    host: optionOf('--host') ?? 'claude-code',
    dataDir: optionOf('--data-dir'),
    isInPlugin: argv.includes('--plugin'),
  };
}

/** Gives this process the environment variables with which the host starts the server. */
function takeOverSettings({ host, isInPlugin }: HookArguments): void {
  const list = join(fixedDataDir(process.env as Environment), 'connections.json');
  const pluginFolder = isInPlugin ? process.env.CLAUDE_PLUGIN_ROOT : undefined;
  Object.assign(process.env, entryVariables(host, { list, pluginFolder }));
}

/** A host without an event at the start gets the memories of the start with a prompt. */
function budgetMs(event: HookEvent, { events }: HookHost): number {
  return BUDGET_MS[event === 'prompt' && events['session-start'] === undefined ? 'session-start' : event];
}

/** @returns the text for stdout */
async function outputOf(event: HookEvent, named: HookHost, dataDir: string | undefined): Promise<string> {
  const deadlineMs = budgetMs(event, named);
  const given = await readStdin(deadlineMs);
  const input = factsIn(given);
  const host = senderOf(named, input ?? {}, process.env);
  const at = host.events[event];
  if (at === undefined) return '';
  const { answer, silence, notice } = at;
  let folder = dataDir;
  try {
    const flags = dataDir === undefined ? {} : { 'data-dir': dataDir };
    const place = loadPlace(process.env as Environment, flags);
    folder = place.dataDir;
    if (input === undefined) throw new Error(`the host sent ${given.length} characters that are no JSON`);
    const body = await bodyOf(event, host.fields, input);
    if (body === undefined) return printed(silence);
    const call: HookCall = { event, body, place, flags, deadlineMs };
    const text = await askMemory(call);
    return text === undefined || answer === undefined
      ? printed(silence)
      : printed(answerWith(answer, text, input) ?? silence);
  } catch (error) {
    const isLate = error instanceof TooLate;
    const reason = messageOf(error);
    if (folder !== undefined) noteFailure(folder, { event, host: host.name, kind: isLate ? 'late' : 'failed', reason });
    // A person has to know once that nothing is recalled, and not at each prompt.
    if (isLate || notice === undefined || event !== 'session-start') return printed(silence);
    return printed(answerWith(notice, `Engraph gives no memories: ${reason}. Run 'engraph doctor'.`));
  }
}

function printed(answer: ReturnType<typeof answerWith> | undefined): string {
  if (answer === undefined) return '';
  return `${typeof answer === 'string' ? answer : JSON.stringify(answer)}\n`;
}

function usage(event: string | undefined): string {
  const problem = event === undefined ? 'the event is missing' : `the event '${event}' does not exist`;
  return `engraph: ${problem}. 'engraph hook' takes one of ${HOOK_EVENTS.join(', ')}, or --try "a prompt".\n`;
}

function unknownHost(host: string): string {
  return `engraph: the host '${host}' is unknown. --host takes one of ${HOOK_HOSTS.map(({ name }) => name).join(', ')}.\n`;
}

function endWith(output: string, exitCode = 0): void {
  const stream = exitCode === 0 ? process.stdout : process.stderr;
  stream.on('error', () => process.exit(exitCode));
  stream.write(output, () => void closed().then(() => process.exit(exitCode)));
}
