/** Renders the answers to hooks, and the log of hooks. */
import type { HookOutcome, HookSession, InjectedMemory, Injection, PromptTrial } from '../../domain/hooks.js';
import { toIso } from '../../domain/time.js';
import type { ContextAnswer, HookLogAnswer, StopAnswer, SummaryAnswer, TryAnswer } from '../answers/hooks.js';
import { roundMs, roundScore } from './numbers.js';

type HostEvent = NonNullable<ContextAnswer['hookSpecificOutput']>['hookEventName'];

export function renderContext(hookEventName: HostEvent, outcome: HookOutcome): ContextAnswer {
  return 'text' in outcome ? { hookSpecificOutput: { hookEventName, additionalContext: outcome.text } } : {};
}

export function renderStop(outcome: HookOutcome): StopAnswer {
  return 'text' in outcome ? { decision: 'block', reason: outcome.text } : {};
}

export function renderSummary(outcome: HookOutcome): SummaryAnswer {
  return 'text' in outcome ? { summary: outcome.text } : {};
}

export function renderTrial({ said, text, tokens, memories }: PromptTrial): TryAnswer {
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

export function renderHookLog(sessions: readonly HookSession[]): HookLogAnswer {
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
