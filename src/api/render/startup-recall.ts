/** Renders the memories that an assistant should know at the start of a conversation. */
import { shownMetadata } from '../../domain/metadata.js';
import type { StartupOutcome } from '../../domain/results.js';
import type { StartupRecallAnswer } from '../answers/startup-recall.js';

const CRITICAL_FROM = 0.9;

export function renderStartupRecall({ lessons, rules }: StartupOutcome): StartupRecallAnswer {
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
