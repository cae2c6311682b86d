/**
 * Hooks of host programs, such as Claude Code. Their fields have the names that Claude Code and Codex use; these hosts
 * refuse unknown fields of answers.
 */

import { z } from 'zod';
import {
  type HookLogRequest,
  type HookOutcome,
  type HookSession,
  INJECTION_EVENTS,
  type InjectedMemory,
  type Injection,
  type Prompt,
  type PromptTrial,
  type SessionStart,
  SILENCE_REASONS,
  type TurnEnd,
  VERDICTS,
} from '../domain/hooks.js';
import { toIso } from '../domain/time.js';
import type { Engine } from '../engine/engine.js';
import { roundScore, roundThousandths, success, wholeNumber } from './answer-fields.js';
import { content, count, flag, text } from './fields.js';
import { lenient, optional, readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';
import { PATH_MAX_LENGTH } from './recall-request.js';
import { projectFields, toNamedProject } from './tags.js';

const SESSION_ID_MAX_LENGTH = 200;
const SOURCE_MAX_LENGTH = 100;
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
  cwd: optional(text(PATH_MAX_LENGTH)).describe(
    'Folder in which the assistant works; it tells the project unless project is given',
  ),
  ...projectFields,
};

const sessionStartRequest = z.object({
  ...session,
  source: optional(text(SOURCE_MAX_LENGTH)).describe(
    'Why the session starts. After `compact` the assistant may be given again what it was given before',
  ),
});
export type SessionStartParameters = z.output<typeof sessionStartRequest>;
type PlaceParameters = Pick<SessionStartParameters, 'cwd' | 'project' | 'former_projects'>;

const promptRequest = z.object({
  ...session,
  prompt: hostText.describe('The prompt as it was sent'),
});
export type PromptParameters = z.output<typeof promptRequest>;

const tryRequest = z.object({
  cwd: session.cwd,
  ...projectFields,
  prompt: hostText.describe('A prompt as a person writes it'),
});
export type TryParameters = z.output<typeof tryRequest>;

const conversationRequest = z.object(conversation);
export type ConversationParameters = z.output<typeof conversationRequest>;

const stopRequest = z.object({
  ...conversation,
  last_assistant_message: optional(hostText).describe('The last reply, which shows whether the memories were used'),
  stop_hook_active: optional(flag).describe('The assistant continues only because of a hook'),
});
export type StopParameters = z.output<typeof stopRequest>;

const hookLogPage = z.object({
  limit: optional(count({ max: SESSIONS_MAX })).describe(`Maximum number of conversations, ${SESSIONS} by default`),
  session_id: optional(text(SESSION_ID_MAX_LENGTH)).describe('Only this conversation'),
});
export type HookLogParameters = z.output<typeof hookLogPage>;

function toSessionStart({ source, ...given }: SessionStartParameters): SessionStart {
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

function toPrompt({ prompt, ...start }: PromptParameters): Prompt {
  return { ...toSession(start), text: prompt };
}

function toTriedPrompt({ prompt, ...given }: TryParameters): Omit<Prompt, 'sessionId'> {
  return { text: prompt, ...toPlace(given) };
}

function toTurnEnd({
  session_id: sessionId,
  last_assistant_message: reply,
  stop_hook_active,
}: StopParameters): TurnEnd {
  return { sessionId, ...(reply !== undefined && { reply }), isContinued: stop_hook_active ?? false };
}

function toHookLogRequest({ limit = SESSIONS, session_id: sessionId }: HookLogParameters): HookLogRequest {
  return { limit, ...(sessionId !== undefined && { sessionId }) };
}

/** The answer is an empty object when no memory is given to the assistant. */
const contextAnswer = z.strictObject({
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
const stopAnswer = z.strictObject({
  decision: z.literal('block').optional().describe('The assistant should continue'),
  reason: z.string().optional().describe('What the assistant should do before it stops'),
});
export type StopAnswer = z.output<typeof stopAnswer>;

/** The answer is an empty object when the summary needs nothing in particular. */
const summaryAnswer = z.strictObject({
  summary: z.string().optional().describe('What the summary of the conversation must keep'),
});
export type SummaryAnswer = z.output<typeof summaryAnswer>;

const tryAnswer = z.strictObject({
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

const hookLogAnswer = z.strictObject({
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

/** The events that a host reports. */
type HookAnswers = Pick<Engine['hooks'], 'sessionStart' | 'prompt' | 'turnEnd' | 'preCompact' | 'sessionEnd'>;

interface EventOperation extends Pick<Operation, 'name' | 'summary' | 'body'> {
  answer: z.ZodType;
  /** @throws MemoryError `invalid` when the body is not as `body` describes it */
  run(hooks: HookAnswers, body: unknown): Promise<object>;
}

interface EventDefinition<Body extends z.ZodObject> extends Omit<EventOperation, 'body' | 'run'> {
  body: Body;
  run(hooks: HookAnswers, body: z.output<Body>): Promise<object>;
}

function event<Body extends z.ZodObject>({ body, run, ...rest }: EventDefinition<Body>): EventOperation {
  return { ...rest, body, run: (hooks, given) => run(hooks, readObject(body, given, 'The body')) };
}

const EVENTS: Readonly<Record<string, EventOperation>> = {
  'session-start': event({
    name: 'hookSessionStart',
    summary: 'Get the memories that an assistant should know at the start of a conversation',
    body: sessionStartRequest,
    answer: contextAnswer,
    run: async (hooks, start) => renderContext('SessionStart', await hooks.sessionStart(toSessionStart(start))),
  }),
  prompt: event({
    name: 'hookPrompt',
    summary: 'Get the memories that answer a prompt, if there are any',
    body: promptRequest,
    answer: contextAnswer,
    run: async (hooks, prompt) => renderContext('UserPromptSubmit', await hooks.prompt(toPrompt(prompt))),
  }),
  stop: event({
    name: 'hookStop',
    summary: 'Record whether memories were used, and ask at most once per conversation to store decisions',
    body: stopRequest,
    answer: stopAnswer,
    run: async (hooks, end) => renderStop(await hooks.turnEnd(toTurnEnd(end))),
  }),
  'pre-compact': event({
    name: 'hookPreCompact',
    summary: 'Get what a summary of the conversation must keep, so that it can be stored afterwards',
    body: conversationRequest,
    answer: summaryAnswer,
    run: async (hooks, { session_id }) => renderSummary(await hooks.preCompact(session_id)),
  }),
  'session-end': event({
    name: 'hookSessionEnd',
    summary: 'Record that a conversation has ended',
    body: conversationRequest,
    answer: summaryAnswer,
    run: async (hooks, { session_id }) => renderSummary(await hooks.sessionEnd(session_id)),
  }),
};

/**
 * Answers an event as `POST /hooks/<event>` does.
 *
 * @throws MemoryError `invalid` when the body is not as the operation describes it
 */
export async function answerHook(hooks: HookAnswers, event: string, body: unknown): Promise<object> {
  return EVENTS[event]?.run(hooks, body) ?? {};
}

export function hookOperations(): Operation[] {
  const events = Object.values(EVENTS).map(
    ({ name, summary, body, answer, run }): Operation => ({
      ...routeOf(name),
      access: 'token',
      tag: 'hooks',
      summary,
      ...(body && { body }),
      answers: { 200: answer },
      needsNoPlace: true,
      failures: ['invalid'],
      run: (engine, request) => run(engine.hooks, request.body),
    }),
  );
  return [
    ...events,
    {
      ...routeOf('hookTry'),
      access: 'token',
      tag: 'hooks',
      summary: 'Find out which memories a prompt would get in a new conversation, and why not the others',
      query: tryRequest,
      answers: { 200: tryAnswer },
      failures: ['invalid'],
      run: async (engine, { query }) => {
        const prompt = toTriedPrompt(readObject(tryRequest, query, 'The query'));
        return renderTrial(await engine.hooks.tryPrompt(prompt));
      },
    },
    {
      ...routeOf('hookLog'),
      access: 'token',
      tag: 'hooks',
      summary: 'List the memories that hooks gave to assistants, with the reason and whether they were used',
      query: hookLogPage,
      answers: { 200: hookLogAnswer },
      needsNoPlace: true,
      failures: ['invalid'],
      run: async (engine, { query }) => {
        const request = toHookLogRequest(readObject(hookLogPage, query, 'The query'));
        const sessions = await engine.hooks.log(request);
        return { status: 'success', count: sessions.length, sessions: sessions.map(renderSession) };
      },
    },
  ];
}

type HostEvent = NonNullable<ContextAnswer['hookSpecificOutput']>['hookEventName'];

function renderContext(hookEventName: HostEvent, outcome: HookOutcome): ContextAnswer {
  return 'text' in outcome ? { hookSpecificOutput: { hookEventName, additionalContext: outcome.text } } : {};
}

function renderStop(outcome: HookOutcome): StopAnswer {
  return 'text' in outcome ? { decision: 'block', reason: outcome.text } : {};
}

function renderSummary(outcome: HookOutcome): SummaryAnswer {
  return 'text' in outcome ? { summary: outcome.text } : {};
}

function renderTrial({ said, text, tokens, memories }: PromptTrial): TryAnswer {
  return {
    status: 'success',
    ...(said !== undefined && { said }),
    ...(text !== undefined && { text }),
    tokens,
    memories: memories.map(({ memory: { id, content }, evidence, verdict }) => ({
      id,
      content,
      evidence: roundScore(evidence),
      verdict,
    })),
  };
}

function renderSession(session: HookSession): HookLogAnswer['sessions'][number] {
  const { id, startedMs, updatedMs, turns, nudgedMs, endedMs, silences, injections } = session;
  return {
    session_id: id,
    started_at: toIso(startedMs),
    updated_at: toIso(updatedMs),
    turns,
    ...(nudgedMs !== undefined && { nudged_at: toIso(nudgedMs) }),
    ...(endedMs !== undefined && { ended_at: toIso(endedMs) }),
    silences,
    injections: injections.toReversed().map(renderInjection),
  };
}

function renderInjection({ atMs, event, turn, prompt, tokens, durationMs, memories }: Injection) {
  return {
    at: toIso(atMs),
    event,
    turn,
    ...(prompt !== undefined && { prompt }),
    tokens,
    duration_ms: roundThousandths(durationMs),
    memories: memories.map(renderInjected),
  };
}

function renderInjected({ id, reason, evidence, wasUsed }: InjectedMemory) {
  return {
    id,
    reason,
    ...(evidence !== undefined && { evidence: roundScore(evidence) }),
    ...(wasUsed !== undefined && { used: wasUsed }),
  };
}
