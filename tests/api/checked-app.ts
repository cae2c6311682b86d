/** A REST application that compares every answer with its schema. */
import type { Hono } from 'hono';
import { expect } from 'vitest';
import { z } from 'zod';
import { errorAnswer } from '../../src/api/answer-fields.js';
import { jsonSchemaOf } from '../../src/api/input.js';
import { createOperations } from '../../src/api/operations.js';
import { type Answer, type Call, send } from '../http/test-app.js';
import { testLimits } from '../support/test-limits.js';

/** The schema of the successful answers of each operation, by method and path. */
export const ANSWERS: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  createOperations(testLimits()).map(({ method, path, answers }) => {
    const [first, ...others] = new Set(Object.values(answers));
    return [`${method} ${path}`, others.length === 0 ? first : z.union([first as z.ZodType, ...others])];
  }),
) as Record<string, z.ZodType>;

/** The routes that succeeded, the routes that failed, and the fields of their answers, in all applications so far. */
export const seen = { succeeded: new Set<string>(), failed: new Set<string>(), fields: new Set<string>() };

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Sends requests to an application. An answer that does not match its schema fails the test. */
export function checked(app: Hono): (route: string, call?: Call) => Promise<Answer> {
  return async (route, call) => {
    const answer = await send(app, route, call);
    const pattern = route.replace(/\?.*$/s, '').replace(UUID, ':id');
    const hasFailed = answer.status >= 400;
    (hasFailed ? seen.failed : seen.succeeded).add(pattern);
    noteFields(answer.body);
    // `GET /health` returns its full body also with status 503.
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

/** The path and description of every field in a schema. */
export function fieldsOf(schema: z.ZodType): { path: string; name: string; description: string | undefined }[] {
  return walk(jsonSchemaOf(schema, 'output'), '');
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
