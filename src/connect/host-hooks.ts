/**
 * Hooks that run `engraph hook`, in the form of each host, and the plugins for Claude Code and Codex that start the
 * server and add hooks. The format of plugins was compared with the documentation of both clients on 2026-11-23.
 */
import type { JsonObject, Piece } from './format.js';
import { HOOK_EVENTS, HOOK_HOSTS, type HookEvent, type HookForm, type HookHost } from './hook-hosts.js';
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
    return [{ path: ['hooks', at.name], value: elementFor(form, hookFor(name, form, event, start)) }];
  });
}

/** The hooks in the form that a file of hooks has: a list for each event. */
function hookLists(host: HookHost, start: HookStart): JsonObject {
  return Object.fromEntries(hookPieces(host, start).map(({ path: [, name = ''], value }) => [name, [value]]));
}

function elementFor({ list }: HookForm, hook: JsonObject): JsonObject {
  return list === 'plain' ? hook : { hooks: [hook] };
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

export type CommandShell = 'posix' | 'cmd' | 'powershell';

/** Words of these characters need no quotes in any shell. */
const PLAIN = /^[\w@+=:,./\\-]+$/;
const PLAIN_IN_POSIX = /^[\w@+=:,./-]+$/;

const QUOTED: Readonly<Record<CommandShell, (word: string) => string>> = {
  posix: word => (PLAIN_IN_POSIX.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`),
  cmd: word => (PLAIN.test(word) ? word : `"${word}"`),
  powershell: word => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "''")}'`),
};

/** PowerShell runs a quoted program only after `&`. */
function shellLine(words: readonly string[], shell: CommandShell): string {
  const line = words.map(QUOTED[shell]).join(' ');
  return shell === 'powershell' && line.startsWith("'") ? `& ${line}` : line;
}

/** The content of each file by its path. Paths are relative and use forward slashes. */
export type PluginFiles = ReadonlyMap<string, string>;

const NAME = 'engraph';
const DESCRIPTION = 'Long-term memory: supplies memories that help with a prompt, and stores decisions';
const PLUGIN_FOLDER = `plugins/${NAME}`;

export interface PluginStart {
  launch: Launch;
  platform: NodeJS.Platform;
  /** Version of engraph. */
  version: string;
}

export function pluginFiles(start: PluginStart): PluginFiles {
  return new Map([...below('claude-code', claudeCodePlugin(start)), ...below('codex', codexPlugin(start))]);
}

function claudeCodePlugin(start: PluginStart): Record<string, JsonObject> {
  const { launch, version } = start;
  const plugin = { name: NAME, version, description: DESCRIPTION };
  return {
    '.claude-plugin/marketplace.json': {
      name: NAME,
      owner: { name: 'Engraph' },
      plugins: [{ ...plugin, source: `./${PLUGIN_FOLDER}` }],
    },
    [`${PLUGIN_FOLDER}/.claude-plugin/plugin.json`]: plugin,
    [`${PLUGIN_FOLDER}/.mcp.json`]: { mcpServers: { [NAME]: serverEntry(launch) } },
    [`${PLUGIN_FOLDER}/hooks/hooks.json`]: hooksFile('claude-code', start),
  };
}

function codexPlugin(start: PluginStart): Record<string, JsonObject> {
  const { launch, version } = start;
  return {
    '.agents/plugins/marketplace.json': {
      name: NAME,
      plugins: [
        {
          name: NAME,
          source: { source: 'local', path: `./${PLUGIN_FOLDER}` },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Productivity',
        },
      ],
    },
    [`${PLUGIN_FOLDER}/.codex-plugin/plugin.json`]: {
      name: NAME,
      version,
      description: DESCRIPTION,
      mcpServers: './.mcp.json',
      hooks: './hooks/hooks.json',
    },
    [`${PLUGIN_FOLDER}/.mcp.json`]: { mcpServers: { [NAME]: serverEntry(launch) } },
    [`${PLUGIN_FOLDER}/hooks/hooks.json`]: hooksFile('codex', start),
  };
}

/** With `--plugin` the hooks read their settings from the plugin's entry of the server. */
function hooksFile(name: string, { launch, platform }: PluginStart): JsonObject {
  const host = HOOK_HOSTS.find(each => each.name === name);
  return { hooks: host === undefined ? {} : hookLists(host, { launch, platform, options: ['--plugin'] }) };
}

function serverEntry({ command, args, env }: Launch): JsonObject {
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

function below(folder: string, files: Record<string, JsonObject>): [string, string][] {
  return Object.entries(files).map(([path, content]) => [`${folder}/${path}`, `${JSON.stringify(content, null, 2)}\n`]);
}
