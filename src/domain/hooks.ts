/** The events that hooks of a host report to the memory, and the answers. Instants are in milliseconds since 1970. */

import type { Memory } from './memory.js';
import type { NamedProject } from './tags.js';

/** A conversation begins, or continues after a break. */
export interface SessionStart {
  sessionId: string;
  /** The working folder of the assistant. It tells the project if none is given. */
  folder?: string;
  project?: NamedProject;
  /** Whether the host has just shortened the conversation, so that earlier memories are no longer in it. */
  isCompacted?: boolean;
  /** Time that the host still waits. Without it, `ANSWER_WITHIN_MS` applies. */
  withinMs?: number;
}

export interface Prompt extends SessionStart {
  text: string;
}

/** The assistant is about to end its turn. */
export interface TurnEnd {
  sessionId: string;
  /** The last reply of the assistant. */
  reply?: string;
  /** Whether the assistant continues only because a hook asked the assistant to continue. */
  isContinued: boolean;
}

/** Time limits of a host's wait: it holds the start or the prompt back until its hooks have answered. */
export const ANSWER_WITHIN_MS = { session_start: 3_000, prompt: 1_500 } as const satisfies Record<
  InjectionEvent,
  number
>;

/** Why a memory was given to the assistant. */
export type InjectionReason = 'answers_prompt' | 'of_project' | 'for_every_session';

export interface InjectedMemory {
  id: string;
  reason: InjectionReason;
  /** Total evidence for this memory, 0.9..3.1. Defined only for the reason `answers_prompt`. */
  evidence?: number;
  /** Whether a later reply used words of the memory. Undefined until a reply is known. */
  wasUsed?: boolean;
}

export const VERDICTS = [
  'given',
  'superseded',
  'not_valid',
  'maybe_outdated',
  'too_little_evidence',
  'far_below_best',
  'no_room',
] as const;
/** Whether a hook would give a memory, or why not. */
export type Verdict = (typeof VERDICTS)[number];

export interface TriedMemory {
  memory: Memory;
  /** Total evidence for this memory, 0..3.1. */
  evidence: number;
  verdict: Verdict;
  /** A newer memory that may replace this one. */
  maybeOutdatedBy?: Memory;
}

/** What a hook would give with a prompt. */
export interface PromptTrial {
  /** The part of the prompt that a person wrote. Undefined if there is none, and nothing is searched. */
  said?: string;
  /** The text that the assistant would get. Undefined if it would get none. */
  text?: string;
  /** Estimated length of `text` in tokens of the assistant. */
  tokens: number;
  /** The memories that were considered, the most evidence first. */
  memories: readonly TriedMemory[];
}

export const INJECTION_EVENTS = ['session_start', 'prompt'] as const;
export type InjectionEvent = (typeof INJECTION_EVENTS)[number];

export interface Injection {
  atMs: number;
  event: InjectionEvent;
  /** Number of prompts that a person had written when the memories were given. */
  turn: number;
  /** The beginning of the prompt. */
  prompt?: string;
  memories: InjectedMemory[];
  /** Estimated length of the text, in tokens of the assistant. */
  tokens: number;
  durationMs: number;
}

/** Why nothing was given to the assistant. */
export const SILENCE_REASONS = ['machine_prompt', 'nothing_relevant', 'shown_already', 'too_late', 'failed'] as const;
export type SilenceReason = (typeof SILENCE_REASONS)[number];

/** A conversation in the log of the hooks. */
export interface HookSession {
  id: string;
  startedMs: number;
  updatedMs: number;
  /** Number of prompts that a person wrote. */
  turns: number;
  /** When the assistant was asked to store decisions. Undefined when it has not been asked. */
  nudgedMs?: number;
  /** When the host last shortened the conversation. Memories given before are no longer in it. */
  compactedMs?: number;
  /** When the conversation ended. Undefined while it may continue. */
  endedMs?: number;
  /** How often no memory was given, by reason. */
  silences: Partial<Record<SilenceReason, number>>;
  /** Newest last. */
  injections: Injection[];
}

/** Asks for the latest conversations, or for one conversation. */
export interface HookLogRequest {
  limit: number;
  sessionId?: string;
}

/** Text for the assistant, or the reason why there is none. */
export type HookOutcome = { text: string } | { silence: SilenceReason };
