/**
 * What happens at the end of a turn: estimates whether a reply used a memory, and decides when the assistant is asked
 * to store what was decided.
 */
import type { HookSession } from '../domain/hooks.js';
import { isStopWord } from '../domain/text/language.js';
import { stem, words } from '../domain/text/words.js';
import { parseIso } from '../domain/time.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { CandidateParts } from './candidates.js';

/**
 * Minimum share of a memory's words that a reply must repeat, so that the memory counts as used. Words that are also in
 * the prompt are left out.
 */
const SHARE_MIN = 0.3;
const WORDS_MIN = 2;

/** Maximum number of turns after an injection. Later replies are not attributed to the injection. */
const TURNS_MAX = 2;

/** Notes the use of recently injected memories. A later reply may still use a memory that was not used yet. */
export async function noteUsage(
  session: HookSession,
  reply: string,
  graph: Pick<MemoryStore, 'getMemories'>,
): Promise<void> {
  const recent = session.injections.filter(({ turn }) => session.turns - turn <= TURNS_MAX);
  const open = recent.flatMap(({ prompt = '', memories }) =>
    memories.filter(({ wasUsed }) => !wasUsed).map(injected => ({ injected, prompt })),
  );
  const contents = await graph.getMemories(open.map(({ injected }) => injected.id));
  for (const { injected, prompt } of open) {
    const memory = contents.get(injected.id);
    if (memory) injected.wasUsed = isTakenUp(memory.content, { prompt, reply });
  }
}

function isTakenUp(memory: string, { prompt, reply }: { prompt: string; reply: string }): boolean {
  const asked = meaningOf(prompt);
  const own = [...meaningOf(memory)].filter(word => !asked.has(word));
  const said = meaningOf(reply);
  const taken = own.filter(word => said.has(word)).length;
  return taken >= Math.min(WORDS_MIN, own.length) && taken >= own.length * SHARE_MIN && taken > 0;
}

function meaningOf(text: string): Set<string> {
  return new Set(words(text).flatMap(word => (isStopWord(word) ? [] : [stem(word)])));
}

export const NUDGE =
  'Before you end: if this conversation settled something worth knowing later (a decision and its reason, a preference, a ' +
  'correction, the cause of a bug), store it with store_memory, one fact in one memory. If not, end without a word about this.';
/** Goes into the summary of a conversation, because the assistant can store nothing while the host makes the summary. */
export const KEEP_IN_SUMMARY =
  'Keep in the summary, word for word, each decision with its reason, each preference and correction of the user, and the ' +
  'cause of each bug that was found.';
/** Comes with the first memories after the summary. */
export const HANDOVER =
  'The conversation was just summarized. If its summary has something worth knowing later (a decision and its reason, a ' +
  'preference, a correction, the cause of a bug), store it now with store_memory, one fact in one memory, without a word about this.';
/** Minimum number of turns, because shorter conversations rarely decide anything. */
const TURNS_MIN = 5;

/**
 * Whether to ask the assistant now to store what was decided. The assistant is asked at most once in a conversation.
 * It is not asked if a memory was stored since the conversation began, because then it needs no reminder.
 */
export async function isNudgeDue(session: HookSession, recall: CandidateParts['recall']): Promise<boolean> {
  if (session.nudgedMs !== undefined || session.turns < TURNS_MIN) return false;
  return wasNothingStored(session, recall);
}

/** Whether no memory was stored since the conversation began. */
export async function wasNothingStored(session: HookSession, recall: CandidateParts['recall']): Promise<boolean> {
  const { results } = await recall({ limit: 1, sort: 'time_desc' });
  const latestMs = parseIso(results[0]?.memory.timestamp ?? '') ?? Number.NEGATIVE_INFINITY;
  return latestMs < session.startedMs;
}
