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

export interface HookHost {
  /** Name of the client on the command line of `engraph connect`. */
  name: string;
  events: Partial<Record<HookEvent, HostEvent>>;
  fields: HostFields;
}

const CLAUDE_FIELDS: HostFields = {
  sessionId: ['session_id'],
  folder: ['cwd'],
  prompt: ['prompt'],
  reply: ['last_assistant_message'],
  isContinued: ['stop_hook_active'],
  transcript: ['transcript_path'],
};

const NOTICE: JsonObject = { systemMessage: TEXT };

const context = (name: string): HostEvent => ({
  name,
  notice: NOTICE,
  answer: { hookSpecificOutput: { hookEventName: name, additionalContext: TEXT } },
});

export const HOOK_HOSTS: readonly HookHost[] = [
  {
    name: 'claude-code',
    events: {
      'session-start': context('SessionStart'),
      prompt: context('UserPromptSubmit'),
      stop: { name: 'Stop', answer: { decision: 'block', reason: TEXT } },
      'pre-compact': { name: 'PreCompact', answer: TEXT },
      'session-end': { name: 'SessionEnd' },
    },
    fields: CLAUDE_FIELDS,
  },
  {
    name: 'codex',
    events: {
      'session-start': context('SessionStart'),
      prompt: context('UserPromptSubmit'),
      stop: { name: 'Stop', answer: { decision: 'block', reason: TEXT } },
    },
    fields: CLAUDE_FIELDS,
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
