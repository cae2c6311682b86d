/** Answers to hooks: what Claude Code and Codex read, and nothing else, because they refuse fields that they do not know. */
import { z } from 'zod';
import { HOOK_EVENTS, SILENCE_REASONS } from '../../domain/hooks.js';
import { success, wholeNumber } from './common.js';

/** Empty where the assistant is told nothing. */
export const contextAnswer = z.strictObject({
  hookSpecificOutput: z
    .strictObject({
      hookEventName: z.enum(['SessionStart', 'UserPromptSubmit']),
      additionalContext: z.string().describe('Memories in a fence, at most 600 tokens'),
    })
    .optional(),
});
export type ContextAnswer = z.output<typeof contextAnswer>;

/** Empty where the assistant may end. */
export const stopAnswer = z.strictObject({
  decision: z.literal('block').optional(),
  reason: z.string().optional().describe('What the assistant is asked to do first'),
});
export type StopAnswer = z.output<typeof stopAnswer>;

const injectedMemory = z.strictObject({
  id: z.string(),
  reason: z
    .enum(['answers_prompt', 'of_project', 'for_every_session'])
    .describe('It answers the prompt, has the tag of the project, or is a lesson or rule for every conversation'),
  evidence: z.number().optional().describe('How far it answers the prompt by itself, 0..1'),
  used: z
    .boolean()
    .optional()
    .describe('Whether a reply of the next turns took words of it up; absent while none is known'),
});

const injection = z.strictObject({
  at: z.iso.datetime(),
  event: z.enum(HOOK_EVENTS),
  turn: wholeNumber.describe('Prompts of a person up to then'),
  prompt: z.string().optional().describe('The beginning of the prompt'),
  tokens: wholeNumber.describe('Estimated size of what was given'),
  duration_ms: z.number(),
  memories: z.array(injectedMemory),
});

export const hookLogAnswer = z.strictObject({
  status: success,
  count: wholeNumber,
  sessions: z
    .array(
      z.strictObject({
        session_id: z.string(),
        started_at: z.iso.datetime(),
        updated_at: z.iso.datetime(),
        turns: wholeNumber.describe('Prompts of a person'),
        nudged_at: z.iso.datetime().optional().describe('When the assistant was asked to store what was decided'),
        silences: z
          .partialRecord(z.enum(SILENCE_REASONS), wholeNumber)
          .describe('How often nothing was given, by reason'),
        injections: z.array(injection).describe('The latest first'),
      }),
    )
    .describe('The most recent first'),
});
export type HookLogAnswer = z.output<typeof hookLogAnswer>;
