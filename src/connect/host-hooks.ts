/** Hooks that run `engraph hook`, in the form of each host. */
import type { JsonObject, Piece } from './format.js';
import { HOOK_EVENTS, type HookEvent, type HookForm, type HookHost, type HostEvent } from './hook-hosts.js';
import type { Launch } from './launch.js';

/**
 * The time after which the host ends a hook. `engraph hook` itself answers sooner. Codex allows at most three seconds at
 * the end of a session.
 */
const TIMEOUT_SECONDS: Readonly<Record<HookEvent, number>> = {
  'session-start': 10,
  prompt: 5,
  stop: 5,
  'pre-compact': 10,
  'session-end': 3,
};

/** How hooks start engraph. */
export interface HookStart {
  /** The command of the server entry. Its environment is not written: `engraph hook` reads it from the entry. */
  launch: Launch;
  platform: NodeJS.Platform;
  /** Further words of each command line. */
  options?: readonly string[];
}

/** The entries that `engraph connect --hooks` writes into a host's file of hooks: one for each event. */
export function hookPieces({ name, events, form }: HookHost, start: HookStart): Piece[] {
  if (form === undefined || form === 'script') return [];
  return HOOK_EVENTS.flatMap(event => {
    const { [event]: at } = events;
    if (at === undefined) return [];
    return [{ path: ['hooks', at.name], value: elementFor(form, at, hookFor(name, form, event, start)) }];
  });
}

/** The hooks in the form that a file of hooks has: a list for each event. */
export function hookLists(host: HookHost, start: HookStart): JsonObject {
  return Object.fromEntries(hookPieces(host, start).map(({ path: [, name = ''], value }) => [name, [value]]));
}

function elementFor(form: HookForm, { matcher }: HostEvent, hook: JsonObject): JsonObject {
  return form.list === 'plain' ? hook : { ...(matcher !== undefined && { matcher }), hooks: [hook] };
}

function hookFor(name: string, form: HookForm, event: HookEvent, start: HookStart): JsonObject {
  const words = [...hookWords(start.launch, event, name), ...(start.options ?? [])];
  const { isNamed, timeout } = form;
  const seconds = TIMEOUT_SECONDS[event];
  return {
    type: 'command',
    ...(isNamed && { name: `engraph-${event}` }),
    ...commandOf(words, form, start.platform),
    ...(timeout && { [timeout.key]: timeout.unit === 'ms' ? seconds * 1000 : seconds }),
  };
}

/** Program, arguments and data folder are those of the server entry. Its address is not needed. */
export function hookWords({ command, args }: Launch, event: HookEvent, host: string): string[] {
  const optionsStart = args.findIndex(word => word.startsWith('--'));
  const program = optionsStart < 0 ? args : args.slice(0, optionsStart);
  const folder = args.indexOf('--data-dir');
  return [command, ...program, 'hook', event, '--host', host, ...(folder < 0 ? [] : args.slice(folder, folder + 2))];
}

function commandOf(words: readonly string[], form: HookForm, platform: NodeJS.Platform): JsonObject {
  const [command = '', ...args] = words;
  const line = shellLine(words, 'posix');
  if (form.windows === 'both') return { bash: line, powershell: shellLine(words, 'powershell') };
  if (platform !== 'win32' || form.windows === undefined) return { command: line };
  return form.windows === 'args' ? { command, args } : { command: shellLine(words, form.windows) };
}

const COMMAND_LINE = new RegExp(` hook (?:${HOOK_EVENTS.join('|')}) --host `);

/** Whether a hook runs `engraph hook`. */
export function isOurHook({ command, args, bash }: JsonObject): boolean {
  const line = [command, args, bash]
    .flat()
    .filter(word => typeof word === 'string')
    .join(' ');
  return line.includes('engraph') && COMMAND_LINE.test(line);
}

export type Shell = 'posix' | 'cmd' | 'powershell';

/** Words of these characters need no quotes in any shell. */
const PLAIN = /^[\w@+=:,./\\-]+$/;
const PLAIN_IN_POSIX = /^[\w@+=:,./-]+$/;

const QUOTED: Readonly<Record<Shell, (word: string) => string>> = {
  posix: word => (PLAIN_IN_POSIX.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`),
  cmd: word => (PLAIN.test(word) ? word : `"${word}"`),
  powershell: word => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "''")}'`),
};

/** PowerShell runs a quoted program only after `&`. */
function shellLine(words: readonly string[], shell: Shell): string {
  const line = words.map(QUOTED[shell]).join(' ');
  return shell === 'powershell' && line.startsWith("'") ? `& ${line}` : line;
}
