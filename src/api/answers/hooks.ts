/** Answers to hooks: what Claude Code and Codex read, and nothing else, because they refuse fields that they do not know. */
import { z } from 'zod';
import { HOOK_EVENTS, SILENCE_REASONS } from '../../domain/hooks.js';
import { success, wholeNumber } from './common.js';

/** Empty where the assistant is told nothing. */
export const contextAnswer = z.strictObject({
  hookSpecificOutput: z
    .strictObject({
      hookEventName: z.enum(['SessionStart', 'UserPromptSubmit']).describe('The event, as the host calls it'),
      additionalContext: z.string().describe('Memories in a fence, at most 600 tokens'),
    })
    .optional()
    .describe('Absent where the assistant is told nothing'),
});
export type ContextAnswer = z.output<typeof contextAnswer>;

/** Empty where the assistant may end. */
export const stopAnswer = z.strictObject({
  decision: z.literal('block').optional().describe('The assistant should go on'),
  reason: z.string().optional().describe('What the assistant is asked to do first'),
});
export type StopAnswer = z.output<typeof stopAnswer>;

const injectedMemory = z.strictObject({
  id: z.string().describe('Of the memory'),
  reason: z
    .enum(['answers_prompt', 'of_project', 'for_every_session'])
    .describe('It answers the prompt, has the tag of the project, or is a lesson or rule for every conversation'),
  evidence: z.number().optional().describe('How much speaks for it by itself, 0.9 to 3.1'),
  used: z
    .boolean()
    .optional()
    .describe('Whether a reply of the next turns took words of it up; absent while none is known'),
});

const injection = z.strictObject({
  at: z.iso.datetime().describe('When it was given'),
  event: z.enum(HOOK_EVENTS).describe('What the host told'),
  turn: wholeNumber.describe('Prompts of a person up to then'),
  prompt: z.string().optional().describe('The beginning of the prompt'),
  tokens: wholeNumber.describe('Estimated size of what was given'),
  duration_ms: z.number().describe('Time the answer took'),
  memories: z.array(injectedMemory).describe('In their order'),
});

export const hookLogAnswer = z.strictObject({
  status: success,
  count: wholeNumber.describe('Conversations in this answer'),
  sessions: z
    .array(
      z.strictObject({
        session_id: z.string().describe('The conversation, as its host calls it'),
        started_at: z.iso.datetime().describe('When its host first told of it'),
        updated_at: z.iso.datetime().describe('When its host last told of it'),
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
