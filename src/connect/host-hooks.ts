/** Hooks that run `engraph hook`, in the form of each host. */
import type { JsonObject, Piece } from './format.js';
import { HOOK_EVENTS, type HookEvent, type HookForm, type HookHost, type HostEvent } from './hook-hosts.js';
import type { Launch } from './launch.js';
import { shellLine } from './shell-line.js';

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
export function hookPieces(host: HookHost, start: HookStart): Piece[] {
  return HOOK_EVENTS.flatMap(event => {
    const { [event]: at } = host.events;
    return at === undefined
      ? []
      : [{ path: ['hooks', at.name], value: elementFor(host, at, hookFor(host, event, start)) }];
  });
}

/** The hooks in the form that a file of hooks has: a list for each event. */
export function hookLists(host: HookHost, start: HookStart): JsonObject {
  return Object.fromEntries(hookPieces(host, start).map(({ path: [, name = ''], value }) => [name, [value]]));
}

function elementFor({ form }: HookHost, { matcher }: HostEvent, hook: JsonObject): JsonObject {
  return form.list === 'plain' ? hook : { ...(matcher !== undefined && { matcher }), hooks: [hook] };
}

function hookFor({ name, form }: HookHost, event: HookEvent, start: HookStart): JsonObject {
  const words = [...hookWords(start.launch, event, name), ...(start.options ?? [])];
  const { key, unit } = form.timeout;
  return {
    type: 'command',
    ...(form.isNamed && { name: `engraph-${event}` }),
    ...commandOf(words, form, start.platform),
    [key]: TIMEOUT_SECONDS[event] * (unit === 'ms' ? 1000 : 1),
  };
}

/** Program, arguments and data folder are those of the server entry. Its address is not needed. */
function hookWords({ command, args }: Launch, event: HookEvent, host: string): string[] {
  const optionsStart = args.findIndex(word => word.startsWith('--'));
  const program = optionsStart < 0 ? args : args.slice(0, optionsStart);
  const folder = args.indexOf('--data-dir');
  return [command, ...program, 'hook', event, '--host', host, ...(folder < 0 ? [] : args.slice(folder, folder + 2))];
}

function commandOf(words: readonly string[], form: HookForm, platform: NodeJS.Platform): JsonObject {
  const [command = '', ...args] = words;
  if (form.command === 'args') return { command, args };
  if (form.command === 'lines') {
    return { bash: shellLine(words, 'posix'), powershell: shellLine(words, 'powershell') };
  }
  return { command: shellLine(words, platform === 'win32' ? (form.windowsShell ?? 'cmd') : 'posix') };
}

const COMMAND_LINE = new RegExp(` hook (?:${HOOK_EVENTS.join('|')}) --host `);
/** The tool that hooks of earlier versions called. */
export const FORMER_TOOL = 'hook_event';

/** Whether a hook runs `engraph hook`, or calls the tool of an earlier version. */
export function isOurHook(hook: JsonObject): boolean {
  if (hook.tool === FORMER_TOOL) return true;
  const { command, args, bash } = hook;
  const line = [command, args, bash]
    .flat()
    .filter(word => typeof word === 'string')
    .join(' ');
  return line.includes('engraph') && COMMAND_LINE.test(line);
}
