/**
 * The hooks of each host: which events it has, what it sends, and what it reads from the answer; and the settings of a
 * hook, which are those of the server's entry. `engraph connect` writes its files from this table, and `engraph hook`
 * reads and answers with it. `engraph hook` loads this file at each prompt, so it imports only what Node brings.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from './format.js';

export const HOOK_EVENTS = ['session-start', 'prompt', 'stop', 'pre-compact', 'session-end'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Stands in an answer for the text that the assistant gets. `{input.NAME}` stands for a field that the host has sent. */
const TEXT = '{text}';
const PLACE = /\{(text|input\.\w+)\}/g;

export interface HostEvent {
  /** Name of the event at the host. */
  name: string;
  /**
   * What the host reads from stdout, with `{text}` for the text. A string is not JSON. Absent if the host takes no text
   * at this event.
   */
  answer?: JsonObject | string;
  /** What the host reads from stdout if there is no text. Absent if stdout may then be empty. */
  silence?: JsonObject;
  /** What the host shows to the person, with `{text}` for the message. Absent if it shows nothing from hooks. */
  notice?: JsonObject;
}

/** Names of the fields that a host sends on stdin. The first one that is present is read; a dot leads into an object. */
export interface HostFields {
  sessionId: readonly string[];
  folder: readonly string[];
  prompt: readonly string[];
  reply: readonly string[];
  /** The assistant continues only because a hook asked it to. */
  isContinued: readonly string[];
}

/** How a hook stands in the host's file, below the key `hooks` and the name of the event. */
export interface HookForm {
  /** `groups`: a list of groups `{ hooks: [hook] }`. `plain`: a list of hooks. */
  list: 'groups' | 'plain';
  /**
   * The command on Windows: a line for `cmd` or `powershell`, or `args`: the program and its arguments apart. Elsewhere
   * it is a line for a POSIX shell. `both`: one line each for bash and PowerShell on all systems. Absent if it is not
   * known how the host runs commands on Windows.
   */
  windows?: 'cmd' | 'powershell' | 'args' | 'both';
  /** Whether a hook has a name, which the host shows instead of its command. */
  isNamed?: true;
  /** Absent if the unit is not known. */
  timeout?: { key: string; unit: 's' | 'ms' };
  /** The number that the file must have under the key `version`. */
  version?: 1;
}

export interface HookHost {
  /** Name of the client on the command line of `engraph connect`. */
  name: string;
  events: Partial<Record<HookEvent, HostEvent>>;
  fields: HostFields;
  /** `script`: a file of code that runs `engraph hook`. Absent if the host only runs the hooks of others. */
  form?: HookForm | 'script';
  /** Another host that runs the hooks of this one. It is recognized by a field, and by the lack of a variable. */
  alsoRunBy?: { host: string; field: string; variable?: string };
}

const CLAUDE_FIELDS: HostFields = {
  sessionId: ['session_id'],
  folder: ['cwd'],
  prompt: ['prompt'],
  reply: ['last_assistant_message'],
  isContinued: ['stop_hook_active'],
};

const SECONDS = { key: 'timeout', unit: 's' } as const;

const NOTICE: JsonObject = { systemMessage: TEXT };

const context = (name: string): HostEvent => ({
  name,
  notice: NOTICE,
  answer: { hookSpecificOutput: { hookEventName: name, additionalContext: TEXT } },
});

const block = (name: string): HostEvent => ({ name, answer: { decision: 'block', reason: TEXT } });

/** docs/hooks.md names the versions with which these facts were compared. */
export const HOOK_HOSTS: readonly HookHost[] = [
  {
    name: 'claude-code',
    events: {
      'session-start': context('SessionStart'),
      prompt: context('UserPromptSubmit'),
      stop: block('Stop'),
      'pre-compact': { name: 'PreCompact', answer: TEXT },
      'session-end': { name: 'SessionEnd' },
    },
    fields: CLAUDE_FIELDS,
    // On Windows a line would run in Git Bash or in PowerShell. Elsewhere VS Code runs the line too, and it reads no args.
    form: { list: 'groups', windows: 'args', timeout: SECONDS },
    alsoRunBy: { host: 'vscode', field: 'timestamp', variable: 'CLAUDECODE' },
  },
  {
    name: 'codex',
    events: {
      'session-start': context('SessionStart'),
      prompt: context('UserPromptSubmit'),
      stop: block('Stop'),
      // Nothing that a hook says before a compaction reaches the model.
      'session-end': { name: 'SessionEnd' },
    },
    fields: CLAUDE_FIELDS,
    form: { list: 'groups', windows: 'cmd', timeout: SECONDS },
  },
  {
    name: 'gemini',
    events: {
      // The memories of the start come with the first prompt. A text given at SessionStart stands before the person's
      // prompt, and a resumed session loses both. PreCompress fires at every turn. A text given at AfterAgent is shown to
      // the person as a warning.
      prompt: context('BeforeAgent'),
      stop: { name: 'AfterAgent' },
      'session-end': { name: 'SessionEnd' },
    },
    fields: { ...CLAUDE_FIELDS, reply: ['prompt_response'] },
    form: { list: 'groups', windows: 'powershell', isNamed: true, timeout: { key: 'timeout', unit: 'ms' } },
  },
  {
    name: 'qwen',
    events: {
      'session-start': context('SessionStart'),
      prompt: context('UserPromptSubmit'),
      stop: block('Stop'),
      'session-end': { name: 'SessionEnd' },
    },
    fields: CLAUDE_FIELDS,
    form: { list: 'groups', windows: 'cmd', isNamed: true, timeout: SECONDS },
  },
  {
    name: 'copilot',
    events: {
      'session-start': { name: 'sessionStart', answer: { additionalContext: TEXT } },
      // The host reads no answer to userPromptSubmitted.
      prompt: {
        name: 'userPromptTransformed',
        answer: { modifiedTransformedPrompt: `{input.transformedPrompt}\n\n${TEXT}` },
      },
      stop: block('agentStop'),
      'session-end': { name: 'sessionEnd' },
    },
    fields: {
      sessionId: ['sessionId', 'session_id'],
      folder: ['cwd'],
      prompt: ['prompt'],
      reply: [],
      isContinued: ['stop_hook_active', 'stopHookActive'],
    },
    form: { list: 'plain', windows: 'both', timeout: { key: 'timeoutSec', unit: 's' }, version: 1 },
    alsoRunBy: { host: 'vscode', field: 'hook_event_name' },
  },
  {
    name: 'vscode',
    events: {
      // The host reads no text from the answer to UserPromptSubmit.
      'session-start': context('SessionStart'),
      stop: {
        name: 'Stop',
        answer: { hookSpecificOutput: { hookEventName: 'Stop', decision: 'block', reason: TEXT } },
      },
    },
    fields: { ...CLAUDE_FIELDS, sessionId: ['session_id', 'sessionId'] },
  },
  {
    name: 'cursor',
    events: {
      'session-start': { name: 'sessionStart', answer: { additional_context: TEXT } },
      prompt: { name: 'beforeSubmitPrompt', answer: { additional_context: TEXT } },
      // A text given at `stop` would be sent as a message of the person.
      'session-end': { name: 'sessionEnd' },
    },
    fields: {
      sessionId: ['conversation_id', 'session_id'],
      folder: ['workspace_roots.0', 'cwd'],
      prompt: ['prompt'],
      reply: [],
      isContinued: [],
    },
    form: { list: 'plain', version: 1 },
  },
  {
    name: 'devin',
    events: {
      'session-start': context('SessionStart'),
      prompt: context('UserPromptSubmit'),
      'session-end': { name: 'SessionEnd' },
    },
    fields: CLAUDE_FIELDS,
    form: { list: 'groups' },
  },
  {
    name: 'opencode',
    events: {
      prompt: { name: 'chat.message', answer: TEXT },
      'pre-compact': { name: 'experimental.session.compacting', answer: TEXT },
    },
    // The fields that our plugin sends.
    fields: CLAUDE_FIELDS,
    form: 'script',
  },
];

/** The host that has sent an input to a hook of the named host: this host, or another that runs the same hook. */
export function senderOf(
  host: HookHost,
  input: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): HookHost {
  const { host: name, field, variable } = host.alsoRunBy ?? {};
  if (field === undefined || !(field in input)) return host;
  if (variable !== undefined && environment[variable] !== undefined) return host;
  return HOOK_HOSTS.find(each => each.name === name) ?? host;
}

/**
 * The answer of a host with the text in place of `{text}`.
 *
 * @param input what the host has sent
 * @returns undefined if the answer needs a field that the host has not sent
 */
export function answerWith<Answer extends JsonObject | string>(
  answer: Answer,
  text: string,
  input: Readonly<Record<string, unknown>> = {},
): Answer | undefined {
  let isComplete = true;
  const filling = (place: string): string => {
    const value = place === 'text' ? text : input[place.slice('input.'.length)];
    isComplete &&= typeof value === 'string';
    return String(value);
  };
  const filled = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return value.replaceAll(PLACE, (_, place: string) => filling(place));
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each as JsonValue)]));
  };
  const whole = filled(answer) as Answer;
  return isComplete ? whole : undefined;
}

export interface EntryPlaces {
  /** Path of the list of connections. */
  list: string;
  /** Folder of the plugin that contains the hook. */
  pluginFolder?: string | undefined;
}

/**
 * The environment variables of the server's entry of a host. They take precedence over those of the process.
 *
 * @param host name of the client
 * @returns an empty object if there is no entry, or if the file cannot be read
 */
export function entryVariables(host: string, { list, pluginFolder }: EntryPlaces): Record<string, string> {
  const entries = pluginFolder === undefined ? listedEntries(list, host) : pluginEntries(pluginFolder);
  return Object.assign({}, ...entries.map(variablesIn)) as Record<string, string>;
}

/** The environment variables in an entry of any client. */
export function variablesIn(entry: unknown): Record<string, string> {
  const found = ['env', 'envs', 'environment'].map(key => objectIn(entry, key)).find(each => each !== undefined);
  const variables = Object.entries(found ?? {});
  const given = variables.filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function listedEntries(list: string, host: string): unknown[] {
  const connections = (readJson(list) as { connections?: unknown } | undefined)?.connections;
  if (!Array.isArray(connections)) return [];
  const ofHost = connections.filter(each => each.client === host && each.isForProject === false);
  return ofHost.flatMap(({ pieces }) => (Array.isArray(pieces) ? pieces.map(piece => piece.value) : []));
}

function pluginEntries(folder: string): unknown[] {
  return Object.values(objectIn(readJson(join(folder, '.mcp.json')), 'mcpServers') ?? {});
}

function objectIn(value: unknown, key: string): Record<string, unknown> | undefined {
  const child = (value as Record<string, unknown> | null | undefined)?.[key];
  return typeof child === 'object' && child !== null ? (child as Record<string, unknown>) : undefined;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
