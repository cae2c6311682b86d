/** The memories that an assistant should know at the start of a conversation. */
import { z } from 'zod';
import { shownMetadata } from '../domain/metadata.js';
import type { StartupOutcome } from '../domain/results.js';
import { cutMetadataFields, memoryFields, success, wholeNumber } from './answer-fields.js';
import { type Access, type Operation, routeOf } from './operation.js';

export function startupRecallOperation(access: Access): Operation {
  return {
    ...routeOf('startupRecall'),
    access,
    tag: 'recall',
    summary: 'Get the memories that an assistant should know at the start of a conversation',
    answers: { 200: startupRecallAnswer },
    failures: [],
    run: async engine => renderStartupRecall(await engine.startupRecall()),
  };
}

const { id, content, tags, importance, type, metadata } = memoryFields;

const startupRecallAnswer = z.strictObject({
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

const CRITICAL_FROM = 0.9;

function renderStartupRecall({ lessons, rules }: StartupOutcome): StartupRecallAnswer {
  return {
    status: 'success',
    critical_lessons: lessons.map(({ id, content, tags, importance, type, metadata }) => ({
      id,
      content,
      tags: [...tags],
      importance,
      type,
      ...shownMetadata(metadata),
    })),
    system_rules: rules.map(({ id, content, tags }) => ({ id, content, tags: [...tags] })),
    lesson_count: lessons.length,
    has_critical: lessons.some(({ importance }) => importance >= CRITICAL_FROM),
    summary: `Recalled ${lessons.length} lesson(s) and ${rules.length} system rule(s)`,
  };
}
