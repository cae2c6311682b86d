/** Requests and answers of hooks. Their fields have the names that Claude Code and Codex use; these hosts refuse unknown fields of answers. */
import { z } from 'zod';
import {
  type HookLogRequest,
  INJECTION_EVENTS,
  type Prompt,
  type SessionStart,
  SILENCE_REASONS,
  type TurnEnd,
  VERDICTS,
} from '../domain/hooks.js';
import { success, wholeNumber } from './answer-fields.js';
import { content, count, flag, text } from './fields.js';
import { lenient, optional } from './input.js';
import { projectFields, toNamedProject } from './projects.js';

const SESSION_ID_MAX_LENGTH = 200;
const SOURCE_MAX_LENGTH = 100;
const FOLDER_MAX_LENGTH = 4_096;
/** Maximum length of a prompt, in characters. The limit is high, because people paste whole logs into prompts. */
const PROMPT_MAX_LENGTH = 10_000_000;
const SESSIONS = 20;
const SESSIONS_MAX = 200;

/** A text that a host has cut may end within a character. It is repaired, because nobody could send it again. */
const hostText = lenient(value => (typeof value === 'string' ? value.toWellFormed() : value), text(PROMPT_MAX_LENGTH));

/** Longest wait that a caller may ask for. */
const WITHIN_MAX_MS = 60_000;

const conversation = {
  session_id: content(SESSION_ID_MAX_LENGTH).describe('Id of the conversation at its host'),
};

const session = {
  ...conversation,
  within_ms: optional(count({ max: WITHIN_MAX_MS })).describe(
    'Milliseconds that the host waits for the answer: 3000 by default at the start, 1500 with a prompt. What is found later is not given',
  ),
  cwd: optional(text(FOLDER_MAX_LENGTH)).describe(
    'Folder in which the assistant works; it tells the project unless project is given',
  ),
  ...projectFields,
};

export const sessionStartRequest = z.object({
  ...session,
  source: optional(text(SOURCE_MAX_LENGTH)).describe(
    'Why the session starts. After `compact` the assistant may be given again what it was given before',
  ),
});
export type SessionStartParameters = z.output<typeof sessionStartRequest>;
type PlaceParameters = Pick<SessionStartParameters, 'cwd' | 'project' | 'former_projects'>;

export const promptRequest = z.object({
  ...session,
  prompt: hostText.describe('The prompt as it was sent'),
});
export type PromptParameters = z.output<typeof promptRequest>;

export const tryRequest = z.object({
  cwd: session.cwd,
  ...projectFields,
  prompt: hostText.describe('A prompt as a person writes it'),
});
export type TryParameters = z.output<typeof tryRequest>;

export const conversationRequest = z.object(conversation);
export type ConversationParameters = z.output<typeof conversationRequest>;

export const stopRequest = z.object({
  ...conversation,
  last_assistant_message: optional(hostText).describe('The last reply, which shows whether the memories were used'),
  stop_hook_active: optional(flag).describe('The assistant continues only because of a hook'),
});
export type StopParameters = z.output<typeof stopRequest>;

export const hookLogPage = z.object({
  limit: optional(count({ max: SESSIONS_MAX })).describe(`Maximum number of conversations, ${SESSIONS} by default`),
  session_id: optional(text(SESSION_ID_MAX_LENGTH)).describe('Only this conversation'),
});
export type HookLogParameters = z.output<typeof hookLogPage>;

export function toSessionStart({ source, ...given }: SessionStartParameters): SessionStart {
  return { ...toSession(given), ...(source === 'compact' && { isCompacted: true }) };
}

function toSession({ session_id: sessionId, within_ms: withinMs, ...given }: SessionStartParameters): SessionStart {
  return { sessionId, ...toPlace(given), ...(withinMs !== undefined && { withinMs }) };
}

function toPlace({ cwd: folder, project, former_projects }: PlaceParameters) {
  return {
    ...(folder !== undefined && { folder }),
    ...(project !== undefined && { project: toNamedProject({ project, former_projects }) }),
  };
}

export function toPrompt({ prompt, ...start }: PromptParameters): Prompt {
  return { ...toSession(start), text: prompt };
}

export function toTriedPrompt({ prompt, ...given }: TryParameters): Omit<Prompt, 'sessionId'> {
  return { text: prompt, ...toPlace(given) };
}

export function toTurnEnd({
  session_id: sessionId,
  last_assistant_message: reply,
  stop_hook_active,
}: StopParameters): TurnEnd {
  return { sessionId, ...(reply !== undefined && { reply }), isContinued: stop_hook_active ?? false };
}

export function toHookLogRequest({ limit = SESSIONS, session_id: sessionId }: HookLogParameters): HookLogRequest {
  return { limit, ...(sessionId !== undefined && { sessionId }) };
}

/** The answer is an empty object when no memory is given to the assistant. */
export const contextAnswer = z.strictObject({
  hookSpecificOutput: z
    .strictObject({
      hookEventName: z.enum(['SessionStart', 'UserPromptSubmit']).describe('The event, as the host calls it'),
      additionalContext: z
        .string()
        .describe('The memories between markers: at most 600 tokens with a prompt, 1,200 at a start'),
    })
    .optional()
    .describe('Absent when no memory is given to the assistant'),
});
export type ContextAnswer = z.output<typeof contextAnswer>;

/** The answer is an empty object when the assistant may stop. */
export const stopAnswer = z.strictObject({
  decision: z.literal('block').optional().describe('The assistant should continue'),
  reason: z.string().optional().describe('What the assistant should do before it stops'),
});
export type StopAnswer = z.output<typeof stopAnswer>;

/** The answer is an empty object when the summary needs nothing in particular. */
export const summaryAnswer = z.strictObject({
  summary: z.string().optional().describe('What the summary of the conversation must keep'),
});
export type SummaryAnswer = z.output<typeof summaryAnswer>;

export const tryAnswer = z.strictObject({
  status: success,
  said: z
    .string()
    .optional()
    .describe('The part that a person wrote; absent when there is none, and nothing is searched'),
  text: z.string().optional().describe('The text that the assistant would get; absent when it would get none'),
  tokens: wholeNumber.describe('Estimated size of the text, in tokens'),
  memories: z
    .array(
      z.strictObject({
        id: z.string().describe('Id of the memory'),
        content: z.string().describe('The memory'),
        evidence: z.number().describe('Total evidence for this memory, 0 to 3.1'),
        verdict: z.enum(VERDICTS).describe('Whether the memory would be given, or why not'),
      }),
    )
    .describe('The memories that were considered, the most evidence first'),
});
export type TryAnswer = z.output<typeof tryAnswer>;

const injectedMemory = z.strictObject({
  id: z.string().describe('Id of the memory'),
  reason: z
    .enum(['answers_prompt', 'of_project', 'for_every_session'])
    .describe(
      'Why the memory was chosen: it answers the prompt, belongs to the project, or is a preference, lesson or rule for every conversation',
    ),
  evidence: z.number().optional().describe('Total evidence for this memory, 0.9 to 3.1'),
  used: z
    .boolean()
    .optional()
    .describe('Whether one of the next replies used words of the memory; absent until a reply is known'),
});

const injection = z.strictObject({
  at: z.iso.datetime().describe('When the memories were given'),
  event: z.enum(INJECTION_EVENTS).describe('The event of the host'),
  turn: wholeNumber.describe('Number of prompts that a person had written when the memories were given'),
  prompt: z.string().optional().describe('The beginning of the prompt'),
  tokens: wholeNumber.describe('Estimated size of the given text, in tokens'),
  duration_ms: z.number().describe('Time that the answer took, in milliseconds'),
  memories: z.array(injectedMemory).describe('The memories, in the order in which they were given'),
});

export const hookLogAnswer = z.strictObject({
  status: success,
  count: wholeNumber.describe('Number of conversations in this answer'),
  sessions: z
    .array(
      z.strictObject({
        session_id: z.string().describe('Id of the conversation at its host'),
        started_at: z.iso.datetime().describe('Time of the first event of the conversation'),
        updated_at: z.iso.datetime().describe('Time of the last event of the conversation'),
        turns: wholeNumber.describe('Number of prompts that a person wrote'),
        nudged_at: z.iso.datetime().optional().describe('When the assistant was asked to store decisions'),
        ended_at: z.iso.datetime().optional().describe('When the conversation ended, if its host has told'),
        silences: z
          .partialRecord(z.enum(SILENCE_REASONS), wholeNumber)
          .describe('How often no memory was given, by reason'),
        injections: z.array(injection).describe('Newest first'),
      }),
    )
    .describe('Newest first'),
});
export type HookLogAnswer = z.output<typeof hookLogAnswer>;
