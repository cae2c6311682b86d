/**
 * The hooks of each host: which events it has, what it sends, and what it reads from the answer. `engraph connect`
 * writes its files from this table, and `engraph hook` reads and answers with it. `engraph hook` loads this file at each
 * prompt, so it imports nothing at run time.
 */
import type { JsonObject, JsonValue } from './format.js';

export const HOOK_EVENTS = ['session-start', 'prompt', 'stop', 'pre-compact', 'session-end'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Stands in an answer for the text that the assistant gets. */
const TEXT = '{text}';

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
  /** Groups of the host's hook file match only these values, such as the source of a session's start. */
  matcher?: string;
}

/** Names of the fields that a host sends on stdin. The first one that is present is read; a dot leads into an object. */
export interface HostFields {
  sessionId: readonly string[];
  folder: readonly string[];
  prompt: readonly string[];
  reply: readonly string[];
  /** The assistant continues only because a hook asked it to. */
  isContinued: readonly string[];
  /** File with the conversation. */
  transcript: readonly string[];
}

/** How a hook stands in the host's file, below the key `hooks` and the name of the event. */
export interface HookForm {
  /** `groups`: a list of groups `{ matcher, hooks: [hook] }`. `plain`: a list of hooks. */
  list: 'groups' | 'plain';
  /**
   * `args`: program and arguments apart, without a shell. `line`: one line for a shell. `lines`: one line for bash and
   * one for PowerShell.
   */
  command: 'args' | 'line' | 'lines';
  /** The shell that runs a line on Windows. On other systems it is a POSIX shell. */
  windowsShell?: 'cmd' | 'powershell';
  /** Whether a hook has a name, which the host shows instead of its command. */
  isNamed?: true;
  timeout: { key: string; unit: 's' | 'ms' };
  /** The number that the file must have under the key `version`. */
  version?: number;
}

export interface HookHost {
  /** Name of the client on the command line of `engraph connect`. */
  name: string;
  /** The version with which these facts were compared, and the date. */
  checked: string;
  events: Partial<Record<HookEvent, HostEvent>>;
  fields: HostFields;
  form: HookForm;
}

const CLAUDE_FIELDS: HostFields = {
  sessionId: ['session_id'],
  folder: ['cwd'],
  prompt: ['prompt'],
  reply: ['last_assistant_message'],
  isContinued: ['stop_hook_active'],
  transcript: ['transcript_path'],
};

const GROUPS_IN_SECONDS = { list: 'groups', timeout: { key: 'timeout', unit: 's' } } as const;

const NOTICE: JsonObject = { systemMessage: TEXT };

const context = (name: string): HostEvent => ({
  name,
  notice: NOTICE,
  answer: { hookSpecificOutput: { hookEventName: name, additionalContext: TEXT } },
});

export const HOOK_HOSTS: readonly HookHost[] = [
  {
    name: 'claude-code',
    checked: '2.1.332, 2026-11-28',
    events: {
      'session-start': context('SessionStart'),
      prompt: context('UserPromptSubmit'),
      stop: { name: 'Stop', answer: { decision: 'block', reason: TEXT } },
      'pre-compact': { name: 'PreCompact', answer: TEXT },
      'session-end': { name: 'SessionEnd' },
    },
    fields: CLAUDE_FIELDS,
    form: { ...GROUPS_IN_SECONDS, command: 'args' },
  },
  {
    name: 'codex',
    checked: '0.171.0, 2026-11-28',
    events: {
      'session-start': context('SessionStart'),
      prompt: context('UserPromptSubmit'),
      stop: { name: 'Stop', answer: { decision: 'block', reason: TEXT } },
      // Nothing that a hook says before a compaction reaches the model.
      'session-end': { name: 'SessionEnd' },
    },
    fields: CLAUDE_FIELDS,
    form: { ...GROUPS_IN_SECONDS, command: 'line', windowsShell: 'cmd' },
  },
  {
    name: 'gemini',
    checked: '0.61.0, 2026-11-28',
    events: {
      // The memories of the start come with the first prompt. A text given at SessionStart stands before the person's
      // prompt, and a resumed session loses both. PreCompress fires at every turn. A text given at AfterAgent is shown to
      // the person as a warning.
      prompt: context('BeforeAgent'),
      stop: { name: 'AfterAgent' },
      'session-end': { name: 'SessionEnd' },
    },
    fields: { ...CLAUDE_FIELDS, reply: ['prompt_response'] },
    form: {
      list: 'groups',
      command: 'line',
      windowsShell: 'powershell',
      isNamed: true,
      timeout: { key: 'timeout', unit: 'ms' },
    },
  },
];

/** The answer of a host with the text in place of `{text}`. */
export function answerWith<Answer extends JsonObject | string>(answer: Answer, text: string): Answer {
  const filled = (value: JsonValue): JsonValue => {
    if (value === TEXT) return text;
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each as JsonValue)]));
  };
  return filled(answer) as Answer;
}
