/** The answer of what an assistant should know before anything is asked. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';
import { cutMetadataFields, memoryFields } from './memory-fields.js';

const { id, content, tags, importance, type, metadata } = memoryFields;

export const startupRecallAnswer = z.strictObject({
  status: success,
  critical_lessons: z
    .array(z.strictObject({ id, content, tags, importance, type, metadata, ...cutMetadataFields }))
    .max(10)
    .describe('What holds now and is tagged critical, lesson or ai-assistant, most important first'),
  system_rules: z
    .array(z.strictObject({ id, content, tags }))
    .max(5)
    .describe('What holds now and is tagged system or memory-recall, most important first'),
  lesson_count: wholeNumber.describe('How many critical_lessons there are'),
  has_critical: z.boolean().describe('Whether one of critical_lessons has an importance of 0.9 or more'),
  summary: z.string().describe('The two numbers in a sentence'),
});
export type StartupRecallAnswer = z.infer<typeof startupRecallAnswer>;
