/**
 * Requests of hooks. Their fields have the names that Claude Code and Codex use. Hosts send further fields, which are
 * ignored.
 */
import { z } from 'zod';
import type { HookLogRequest, Prompt, SessionStart, TurnEnd } from '../../domain/hooks.js';
import { content, count, flag, text } from '../fields.js';
import { lenient, optional } from '../input.js';
import { projectFields, toNamedProject } from './project.js';

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
