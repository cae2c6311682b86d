/** The memories that an assistant should know at the start of a conversation. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';
import { cutMetadataFields, memoryFields } from './memory-fields.js';

const { id, content, tags, importance, type, metadata } = memoryFields;

export const startupRecallAnswer = z.strictObject({
  status: success,
  critical_lessons: z
    .array(z.strictObject({ id, content, tags, importance, type, metadata, ...cutMetadataFields }))
    .max(10)
    .describe('Currently valid memories tagged critical, lesson or ai-assistant, most important first'),
  system_rules: z
    .array(z.strictObject({ id, content, tags }))
    .max(5)
    .describe('Currently valid memories tagged system or memory-recall, most important first'),
  lesson_count: wholeNumber.describe('Number of critical_lessons'),
  has_critical: z.boolean().describe('Whether one of critical_lessons has an importance of 0.9 or more'),
  summary: z.string().describe('Number of lessons and number of rules, in a sentence'),
});
export type StartupRecallAnswer = z.infer<typeof startupRecallAnswer>;
