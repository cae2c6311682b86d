/** The events that hooks of a host report to the memory, and the answers. Instants are in milliseconds since 1970. */

import type { NamedProject } from './project.js';

/** A conversation begins, or continues after a break. */
export interface SessionStart {
  sessionId: string;
  /** The working folder of the assistant. It tells the project if no project is given. */
  folder?: string;
  project?: NamedProject;
  /** Whether the assistant no longer has what it was given before, because its host has shortened the conversation. */
  isContextLost?: boolean;
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

export const HOOK_EVENTS = ['session_start', 'prompt'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export interface Injection {
  atMs: number;
  event: HookEvent;
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
  /** When the host last shortened the conversation. What was given before may be given again. */
  contextLostMs?: number;
  /** When the assistant was asked to store decisions. Undefined when it has not been asked. */
  nudgedMs?: number;
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
