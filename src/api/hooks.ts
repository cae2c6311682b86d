/** Hooks of host programs, such as Claude Code. */

import type { HookOutcome, HookSession, InjectedMemory, Injection, PromptTrial } from '../domain/hooks.js';
import { toIso } from '../domain/time.js';
import type { Engine } from '../engine/engine.js';
import { roundMs, roundScore } from './answer-fields.js';
import {
  type ContextAnswer,
  contextAnswer,
  conversationRequest,
  type HookLogAnswer,
  hookLogAnswer,
  hookLogPage,
  promptRequest,
  type StopAnswer,
  type SummaryAnswer,
  sessionStartRequest,
  stopAnswer,
  stopRequest,
  summaryAnswer,
  type TryAnswer,
  toHookLogRequest,
  toPrompt,
  toSessionStart,
  toTriedPrompt,
  toTurnEnd,
  tryAnswer,
  tryRequest,
} from './hook-schemas.js';
import { readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';

/** The events that a host reports. */
type HookAnswers = Pick<Engine['hooks'], 'sessionStart' | 'prompt' | 'turnEnd' | 'preCompact' | 'sessionEnd'>;

interface EventOperation extends Pick<Operation, 'name' | 'summary' | 'body'> {
  answer: NonNullable<Operation['answers'][200]>;
  /** @throws MemoryError `invalid` when the body is not as `body` describes it */
  run(hooks: HookAnswers, body: unknown): Promise<object>;
}

const EVENTS: Readonly<Record<string, EventOperation>> = {
  'session-start': {
    name: 'hookSessionStart',
    summary: 'Get the memories that an assistant should know at the start of a conversation',
    body: sessionStartRequest,
    answer: contextAnswer,
    run: async (hooks, body) => {
      const start = toSessionStart(readObject(sessionStartRequest, body, 'The body'));
      return renderContext('SessionStart', await hooks.sessionStart(start));
    },
  },
  prompt: {
    name: 'hookPrompt',
    summary: 'Get the memories that answer a prompt, if there are any',
    body: promptRequest,
    answer: contextAnswer,
    run: async (hooks, body) => {
      const prompt = toPrompt(readObject(promptRequest, body, 'The body'));
      return renderContext('UserPromptSubmit', await hooks.prompt(prompt));
    },
  },
  stop: {
    name: 'hookStop',
    summary: 'Record whether memories were used, and ask at most once per conversation to store decisions',
    body: stopRequest,
    answer: stopAnswer,
    run: async (hooks, body) => {
      const end = toTurnEnd(readObject(stopRequest, body, 'The body'));
      return renderStop(await hooks.turnEnd(end));
    },
  },
  'pre-compact': {
    name: 'hookPreCompact',
    summary: 'Get what a summary of the conversation must keep, so that it can be stored afterwards',
    body: conversationRequest,
    answer: summaryAnswer,
    run: async (hooks, body) => {
      const { session_id } = readObject(conversationRequest, body, 'The body');
      return renderSummary(await hooks.preCompact(session_id));
    },
  },
  'session-end': {
    name: 'hookSessionEnd',
    summary: 'Record that a conversation has ended',
    body: conversationRequest,
    answer: summaryAnswer,
    run: async (hooks, body) => {
      const { session_id } = readObject(conversationRequest, body, 'The body');
      return renderSummary(await hooks.sessionEnd(session_id));
    },
  },
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
        return renderHookLog(await engine.hooks.log(request));
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

function renderHookLog(sessions: readonly HookSession[]): HookLogAnswer {
  return { status: 'success', count: sessions.length, sessions: sessions.map(renderSession) };
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
    duration_ms: roundMs(durationMs),
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
