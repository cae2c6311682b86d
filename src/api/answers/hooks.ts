/**
 * Answers to hooks. Claude Code and Codex refuse unknown fields, so the answers have exactly the fields that these
 * hosts read.
 */
import { z } from 'zod';
import { INJECTION_EVENTS, SILENCE_REASONS, VERDICTS } from '../../domain/hooks.js';
import { success, wholeNumber } from './common.js';

/** The answer is an empty object when no memory is given to the assistant. */
export const contextAnswer = z.strictObject({
  hookSpecificOutput: z
    .strictObject({
      hookEventName: z.enum(['SessionStart', 'UserPromptSubmit']).describe('The event, as the host calls it'),
      additionalContext: z
        .string()
        .describe('The memories between markers: at most 600 tokens with a prompt, 1,200 at a start'),
    })
    .optional()
    .describe('Absent when no memory is given to the assistant'),
});
export type ContextAnswer = z.output<typeof contextAnswer>;

/** The answer is an empty object when the assistant may stop. */
export const stopAnswer = z.strictObject({
  decision: z.literal('block').optional().describe('The assistant should continue'),
  reason: z.string().optional().describe('What the assistant should do before it stops'),
});
export type StopAnswer = z.output<typeof stopAnswer>;

/** The answer is an empty object when the summary needs nothing in particular. */
export const summaryAnswer = z.strictObject({
  summary: z.string().optional().describe('What the summary of the conversation must keep'),
});
export type SummaryAnswer = z.output<typeof summaryAnswer>;

export const tryAnswer = z.strictObject({
  status: success,
  said: z
    .string()
    .optional()
    .describe('The part that a person wrote; absent when there is none, and nothing is searched'),
  text: z.string().optional().describe('The text that the assistant would get; absent when it would get none'),
  tokens: wholeNumber.describe('Estimated size of the text, in tokens'),
  memories: z
    .array(
      z.strictObject({
        id: z.string().describe('Id of the memory'),
        content: z.string().describe('The memory'),
        evidence: z.number().describe('Total evidence for this memory, 0 to 3.1'),
        verdict: z.enum(VERDICTS).describe('Whether the memory would be given, or why not'),
      }),
    )
    .describe('The memories that were considered, the most evidence first'),
});
export type TryAnswer = z.output<typeof tryAnswer>;

const injectedMemory = z.strictObject({
  id: z.string().describe('Id of the memory'),
  reason: z
    .enum(['answers_prompt', 'of_project', 'for_every_session'])
    .describe(
      'Why the memory was chosen: it answers the prompt, belongs to the project, or is a preference, lesson or rule for every conversation',
    ),
  evidence: z.number().optional().describe('Total evidence for this memory, 0.9 to 3.1'),
  used: z
    .boolean()
    .optional()
    .describe('Whether one of the next replies used words of the memory; absent until a reply is known'),
});

const injection = z.strictObject({
  at: z.iso.datetime().describe('When the memories were given'),
  event: z.enum(INJECTION_EVENTS).describe('The event of the host'),
  turn: wholeNumber.describe('Number of prompts that a person had written when the memories were given'),
  prompt: z.string().optional().describe('The beginning of the prompt'),
  tokens: wholeNumber.describe('Estimated size of the given text, in tokens'),
  duration_ms: z.number().describe('Time that the answer took, in milliseconds'),
  memories: z.array(injectedMemory).describe('The memories, in the order in which they were given'),
});

export const hookLogAnswer = z.strictObject({
  status: success,
  count: wholeNumber.describe('Number of conversations in this answer'),
  sessions: z
    .array(
      z.strictObject({
        session_id: z.string().describe('Id of the conversation at its host'),
        started_at: z.iso.datetime().describe('Time of the first event of the conversation'),
        updated_at: z.iso.datetime().describe('Time of the last event of the conversation'),
        turns: wholeNumber.describe('Number of prompts that a person wrote'),
        nudged_at: z.iso.datetime().optional().describe('When the assistant was asked to store decisions'),
        ended_at: z.iso.datetime().optional().describe('When the conversation ended, if its host has told'),
        silences: z
          .partialRecord(z.enum(SILENCE_REASONS), wholeNumber)
          .describe('How often no memory was given, by reason'),
        injections: z.array(injection).describe('Newest first'),
      }),
    )
    .describe('Newest first'),
});
export type HookLogAnswer = z.output<typeof hookLogAnswer>;
