/** A REST application whose every answer is compared with its schema. */
import type { Hono } from 'hono';
import { expect } from 'vitest';
import { z } from 'zod';
import { associationAnswer, associationsAnswer } from '../../src/api/answers/association.js';
import { errorAnswer } from '../../src/api/answers/error.js';
import { healthAnswer } from '../../src/api/answers/health.js';
import { reembedAnswer, syncAnswer } from '../../src/api/answers/maintenance.js';
import { changeAnswer, memoryAnswer, storeAnswer, storeManyAnswer } from '../../src/api/answers/memory.js';
import { recallAnswer } from '../../src/api/answers/recall.js';
import { relatedAnswer } from '../../src/api/answers/related.js';
import { tagPageAnswer, tagRemovalAnswer } from '../../src/api/answers/tag-page.js';
import { whyNotAnswer } from '../../src/api/answers/why-not.js';
import { reprocessAnswer, workStatusAnswer } from '../../src/api/answers/work.js';
import { type Answer, type Call, send } from '../http/test-app.js';

/** What each route answers when it succeeds. */
export const ANSWERS: Record<string, z.ZodType> = {
  'GET /health': healthAnswer,
  'GET /enrichment/status': workStatusAnswer,
  'POST /enrichment/reprocess': reprocessAnswer,
  'POST /admin/reembed': reembedAnswer,
  'POST /admin/sync': syncAnswer,
  'GET /recall': recallAnswer,
  'GET /recall/why-not': whyNotAnswer,
  'POST /memory': storeAnswer,
  'POST /memory/batch': storeManyAnswer,
  'GET /memory/:id': memoryAnswer,
  'PATCH /memory/:id': changeAnswer,
  'DELETE /memory/:id': changeAnswer,
  'GET /memory/by-tag': tagPageAnswer,
  'DELETE /memory/by-tag': tagRemovalAnswer,
  'POST /associate': z.union([associationAnswer, associationsAnswer]),
  'GET /memories/:id/related': relatedAnswer,
};

/** What was answered so far, by all applications. */
export const seen = { succeeded: new Set<string>(), failed: new Set<string>(), fields: new Set<string>() };

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Sends requests to an application; an answer that its schema does not describe fails the test. */
export function checked(app: Hono): (route: string, call?: Call) => Promise<Answer> {
  return async (route, call) => {
    const answer = await send(app, route, call);
    const pattern = route.replace(/\?.*$/s, '').replace(UUID, ':id');
    const hasFailed = answer.status >= 400;
    (hasFailed ? seen.failed : seen.succeeded).add(pattern);
    noteFields(answer.body);
    // Health is told in full also when it is bad.
    const schema = hasFailed && !route.startsWith('GET /health') ? errorAnswer : ANSWERS[pattern];
    const problems = schema ? (schema.safeParse(answer.body).error?.issues ?? []) : ['no schema'];
    expect(problems, `${route}: ${JSON.stringify(answer.body)}`).toEqual([]);
    return answer;
  };
}

function noteFields(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    if (!Array.isArray(value)) seen.fields.add(name);
    noteFields(child);
  }
}

/** Every field that a schema describes, as its path, with what is said of it. */
export function fieldsOf(schema: z.ZodType): { path: string; name: string; description: string | undefined }[] {
  return walk(z.toJSONSchema(schema), '');
}

interface Described {
  description?: string;
  properties?: Record<string, Described>;
  items?: unknown;
  anyOf?: unknown[];
  oneOf?: unknown[];
}

function walk(node: unknown, path: string): ReturnType<typeof fieldsOf> {
  const { properties = {}, items, anyOf = [], oneOf = [] } = node as Described;
  return [
    ...Object.entries(properties).flatMap(([name, child]) => [
      { path: `${path}.${name}`, name, description: child.description },
      ...walk(child, `${path}.${name}`),
    ]),
    ...(items ? walk(items, `${path}[]`) : []),
    ...[...anyOf, ...oneOf].flatMap(child => walk(child, path)),
  ];
}
