/** Gives an assistant memories that it did not ask for: at the start of a conversation and with each prompt. */

import { MemoryError } from '../domain/errors.js';
import {
  ANSWER_WITHIN_MS,
  type HookLogRequest,
  type HookOutcome,
  type HookSession,
  type Injection,
  type Prompt,
  type PromptTrial,
  type SessionStart,
  type SilenceReason,
  type TurnEnd,
} from '../domain/hooks.js';
import { beginningOf } from '../domain/text/characters.js';
import type { Clock } from '../domain/time.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import { withinLimit } from '../time-limit.js';
import { type CandidateParts, type Candidates, createCandidates } from './candidates.js';
import { type ChosenMemory, chosenIn, fitInto, PROMPT_BUDGET, START_BUDGET, textOf } from './choice.js';
import { humanWords } from './human-words.js';
import { createSessions, noteInjection, noteSilence, type SessionGraph, type Sessions, shownIn } from './sessions.js';
import { HANDOVER, isNudgeDue, KEEP_IN_SUMMARY, NUDGE, noteUsage, wasNothingStored } from './turn-end.js';

export interface Hooks {
  /**
   * Never rejects, because a host must not fail because of memories that its user did not ask for. The same applies to
   * the other events.
   */
  sessionStart(start: SessionStart): Promise<HookOutcome>;
  prompt(prompt: Prompt): Promise<HookOutcome>;
  /** @returns text if the assistant should continue and store what was decided */
  turnEnd(end: TurnEnd): Promise<HookOutcome>;
  /** @returns text for the summary if the conversation may have decided something that is not stored */
  preCompact(sessionId: string): Promise<HookOutcome>;
  sessionEnd(sessionId: string): Promise<HookOutcome>;
  /**
   * Finds out what a prompt would get in a new conversation, without recording it.
   *
   * @throws MemoryError `unavailable` when the graph store cannot be reached
   */
  tryPrompt(prompt: Omit<Prompt, 'sessionId'>): Promise<PromptTrial>;
  log(request: HookLogRequest): Promise<HookSession[]>;
  /** Resolves when the log is written. */
  flush(): Promise<void>;
}

/** @internal */
export interface HookParts extends CandidateParts {
  graph: SessionGraph & Pick<MemoryStore, 'getMemories'>;
  clock: Clock;
}

/** Length in characters. It is enough to recognize a prompt in the log. */
const PROMPT_EXCERPT_LENGTH = 120;

/** @internal */
export function createHooks(parts: HookParts): Hooks {
  const { graph, onFailure } = parts;
  const sessions = createSessions(graph, onFailure);
  const candidates = createCandidates(parts);
  const inject = injector({ ...parts, sessions });

  return {
    sessionStart: start =>
      inject(start, {
        event: 'session_start',
        find: async () => ({ answering: [], atStart: await candidates.atStart(start) }),
      }),
    prompt: async prompt => {
      const said = humanWords(prompt.text);
      return inject(prompt, {
        event: 'prompt',
        said,
        find: session => (said === undefined ? undefined : candidatesOf(candidates, { prompt, said, session })),
      });
    },
    turnEnd: end => takeLeave(end, { ...parts, sessions }),
    preCompact: sessionId => handOver(sessionId, { ...parts, sessions }),
    sessionEnd: sessionId => endSession(sessionId, { ...parts, sessions }),
    tryPrompt: async prompt => {
      const said = humanWords(prompt.text);
      if (said === undefined) return { tokens: 0, memories: [] };
      const memories = await candidates.forPrompt(said, prompt);
      const chosen = fitInto(PROMPT_BUDGET, chosenIn(memories));
      const given = new Set(chosen.memories.map(({ id }) => id));
      return {
        said,
        ...(given.size > 0 && { text: textOf(chosen.memories) }),
        tokens: chosen.tokens,
        memories: memories.map(each =>
          each.verdict === 'given' && !given.has(each.memory.id) ? { ...each, verdict: 'no_room' } : each,
        ),
      };
    },
    log: async ({ limit, sessionId }) => {
      await sessions.flush();
      if (sessionId === undefined) return sessions.list(limit);
      const session = await sessions.find(sessionId);
      return session ? [session] : [];
    },
    flush: () => sessions.flush(),
  };
}

/**
 * The candidates for a prompt. A host may start before its MCP servers are connected. If the session has no memories
 * yet, the first prompt therefore also adds the memories for the start of a session.
 */
async function candidatesOf(
  candidates: Candidates,
  { prompt, said, session }: { prompt: Prompt; said: string; session: HookSession },
): Promise<Found> {
  const [considered, atStart] = await Promise.all([
    candidates.forPrompt(said, prompt),
    hasNoStartMemories(session) ? candidates.atStart(prompt) : [],
  ]);
  return { answering: chosenIn(considered), atStart };
}

function hasNoStartMemories({ turns, injections, compactedMs }: HookSession): boolean {
  if (compactedMs === undefined) return turns === 0 && injections.length === 0;
  return !injections.some(({ atMs }) => atMs >= compactedMs);
}

interface Found {
  /** Memories that answer the prompt. */
  answering: readonly ChosenMemory[];
  /** Memories for the start of the conversation. */
  atStart: readonly ChosenMemory[];
}

interface InjectionRequest {
  event: Injection['event'];
  /** The text that a person wrote. Absent without a prompt, and if the prompt contains no text to search for. */
  said?: string | undefined;
  /** Returns undefined if no memories should be searched. */
  find(session: HookSession): Promise<Found> | undefined;
}

type InjectorParts = Pick<HookParts, 'clock' | 'onFailure' | 'recall'> & { sessions: Sessions };

function injector({ sessions, clock, onFailure, recall }: InjectorParts) {
  return async (start: SessionStart, { event, said, find }: InjectionRequest): Promise<HookOutcome> => {
    const { sessionId, withinMs = ANSWER_WITHIN_MS[event] } = start;
    const limit = { clock, limitMs: withinMs, late: () => tooLate(withinMs) };
    const startedMs = clock.elapsedMs();
    const opened = sessions.open(sessionId, clock.nowMs());
    const note = (session: HookSession, outcome: Injection | SilenceReason) => {
      if (typeof outcome === 'string') noteSilence(session, outcome);
      else noteInjection(session, outcome);
      session.updatedMs = clock.nowMs();
      sessions.save(session);
    };
    try {
      const looking = opened.then(async session => {
        const handover = start.isCompacted ? await noteCompaction(session, { clock, recall }) : undefined;
        return { session, handover, found: await find(session) };
      });
      const { session, handover, found } = await withinLimit(looking, limit);
      if (said !== undefined) session.turns += 1;
      const given = found ? fittedIn(found, shownIn(session)) : [];
      if (given.length === 0) {
        const silence = silenceOf(found);
        note(session, silence);
        return handover === undefined ? { silence } : { text: handover };
      }
      for (const { event: reason, memories, tokens } of given) {
        note(session, {
          atMs: clock.nowMs(),
          event: reason,
          turn: session.turns,
          ...(said !== undefined && { prompt: beginningOf(said, PROMPT_EXCERPT_LENGTH) }),
          memories: memories.map(({ memory: _memory, newer: _newer, ...injected }) => injected),
          tokens,
          durationMs: clock.elapsedMs() - startedMs,
        });
      }
      const text = textOf(given.flatMap(({ memories }) => memories));
      return { text: handover === undefined ? text : `${text}\n${handover}` };
    } catch (error) {
      const silence = error instanceof TooLate ? 'too_late' : 'failed';
      if (silence === 'failed') onFailure(error);
      // Note the reason for the silence later, because the session may not have been read from the graph yet.
      sessions.awaitLater(opened.then(session => note(session, silence)));
      return { silence };
    }
  };
}

/** Returns what fits, without the memories that the assistant already has. What answers the prompt has its own budget. */
function fittedIn({ answering, atStart }: Found, known: ReadonlySet<string>) {
  const isNew = ({ id }: ChosenMemory) => !known.has(id);
  const first = fitInto(PROMPT_BUDGET, answering.filter(isNew));
  const ids = new Set(first.memories.map(({ id }) => id));
  const second = fitInto(
    START_BUDGET,
    atStart.filter(each => isNew(each) && !ids.has(each.id)),
  );
  return [
    { event: 'prompt' as const, ...first },
    { event: 'session_start' as const, ...second },
  ].filter(({ memories }) => memories.length > 0);
}

/** @returns the request to store what the conversation decided before the host shortened it, unless something was stored */
async function noteCompaction(
  session: HookSession,
  { clock, recall }: Pick<HookParts, 'clock' | 'recall'>,
): Promise<string | undefined> {
  session.compactedMs = clock.nowMs();
  if (!(await hasUnstored(session, recall))) return undefined;
  session.nudgedMs = clock.nowMs();
  return HANDOVER;
}

async function hasUnstored(session: HookSession, recall: HookParts['recall']): Promise<boolean> {
  return session.turns > 0 && (await wasNothingStored(session, recall));
}

function silenceOf(found: Found | undefined): SilenceReason {
  if (!found) return 'machine_prompt';
  return found.answering.length + found.atStart.length === 0 ? 'nothing_relevant' : 'shown_already';
}

/** Notes which memories the reply used. Asks the assistant once in a conversation to store what was decided. */
async function takeLeave(
  { sessionId, reply, isContinued }: TurnEnd,
  { graph, recall, clock, onFailure, sessions }: HookParts & { sessions: Sessions },
): Promise<HookOutcome> {
  try {
    const session = await sessions.open(sessionId, clock.nowMs());
    if (reply !== undefined) await noteUsage(session, reply, graph);
    const isDue = !isContinued && (await isNudgeDue(session, recall));
    if (isDue) session.nudgedMs = clock.nowMs();
    session.updatedMs = clock.nowMs();
    sessions.save(session);
    return isDue ? { text: NUDGE } : { silence: 'nothing_relevant' };
  } catch (error) {
    onFailure(error);
    return { silence: 'failed' };
  }
}

/**
 * Prepares for the loss of the conversation's text: what it decided is to be stored afterwards, from the summary. Notes
 * nothing, because a host may report a compaction that it then does not make.
 */
async function handOver(
  sessionId: string,
  { recall, clock, onFailure, sessions }: HookParts & { sessions: Sessions },
): Promise<HookOutcome> {
  try {
    const session = await sessions.open(sessionId, clock.nowMs());
    return (await hasUnstored(session, recall)) ? { text: KEEP_IN_SUMMARY } : { silence: 'nothing_relevant' };
  } catch (error) {
    onFailure(error);
    return { silence: 'failed' };
  }
}

async function endSession(
  sessionId: string,
  { clock, onFailure, sessions }: Pick<HookParts, 'clock' | 'onFailure'> & { sessions: Sessions },
): Promise<HookOutcome> {
  try {
    const session = await sessions.open(sessionId, clock.nowMs());
    session.endedMs = clock.nowMs();
    session.updatedMs = clock.nowMs();
    sessions.save(session);
    return { silence: 'nothing_relevant' };
  } catch (error) {
    onFailure(error);
    return { silence: 'failed' };
  }
}

/** Distinguishes our own time limit from failures of the stores. */
class TooLate extends MemoryError {}

function tooLate(withinMs: number): TooLate {
  return new TooLate('unavailable', `no memories were found within ${withinMs} ms`);
}
