/** What hooks of an assistant's host tell the memory, and what they get. Instants are in milliseconds since 1970. */

/** A conversation begins, or goes on after a break. */
export interface SessionStart {
  sessionId: string;
  /** Where the assistant works. */
  folder?: string;
}

export interface Prompt extends SessionStart {
  text: string;
}

/** The assistant is about to end its turn. */
export interface TurnEnd {
  sessionId: string;
  /** What the assistant said last. */
  reply?: string;
  /** It goes on only because a hook has asked it to. */
  isContinued: boolean;
}

/** Why a memory was given to the assistant. */
export type InjectionReason = 'answers_prompt' | 'of_project' | 'for_every_session';

export interface InjectedMemory {
  id: string;
  reason: InjectionReason;
  /** How much speaks for it by itself, 0.9..3.1; absent where nothing was asked. */
  evidence?: number;
  /** Whether a later reply has taken words of it up; absent while no reply is known. */
  wasUsed?: boolean;
}

export const HOOK_EVENTS = ['session_start', 'prompt'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export interface Injection {
  atMs: number;
  event: HookEvent;
  /** Prompts of a person up to then. */
  turn: number;
  /** The beginning of the prompt. */
  prompt?: string;
  memories: InjectedMemory[];
  /** About how many tokens of the assistant the text takes. */
  tokens: number;
  durationMs: number;
}

/** Why nothing was given to the assistant. */
export const SILENCE_REASONS = ['machine_prompt', 'nothing_relevant', 'shown_already', 'too_late', 'failed'] as const;
export type SilenceReason = (typeof SILENCE_REASONS)[number];

/** A conversation as the log keeps it. */
export interface HookSession {
  id: string;
  startedMs: number;
  updatedMs: number;
  /** Prompts that a person wrote. */
  turns: number;
  /** When the assistant was asked to store what was decided; absent before. */
  nudgedMs?: number;
  /** How often nothing was given, by reason. */
  silences: Partial<Record<SilenceReason, number>>;
  /** The latest last. */
  injections: Injection[];
}

/** The latest conversations, or one. */
export interface HookLogRequest {
  limit: number;
  sessionId?: string;
}

/** Text for the assistant, or why there is none. */
export type HookOutcome = { text: string } | { silence: SilenceReason };
