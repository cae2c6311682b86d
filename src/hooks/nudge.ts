/** Decides when the assistant is asked to store what was decided. */
import type { HookSession } from '../domain/hooks.js';
import { parseIso } from '../domain/time.js';
import type { CandidateParts } from './candidates.js';

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
