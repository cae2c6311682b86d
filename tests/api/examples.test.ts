/** The examples of the OpenAPI document are requests that were made, and the answers that came. */
import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { EXAMPLES } from '../../src/api/examples.js';
import type { Example, Operation } from '../../src/api/operation.js';
import { createOperations } from '../../src/api/operations.js';
import { openTestApp } from '../http/test-app.js';
import { EXAMPLE_REQUESTS } from '../support/example-requests.js';

const FILE = new URL('../../src/api/examples.ts', import.meta.url);

/** What differs from machine to machine. */
function steady(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value) => {
      if (key === 'disk_free_bytes') return 50_000_000_000;
      return typeof value === 'string' ? value.replace(/\/\S*engraph-\S+/g, '~/.engraph') : value;
    }),
  );
}

async function runExamples(): Promise<{ examples: Example[]; operations: Map<string, Operation> }> {
  const { engine, call, close } = await openTestApp({ adminToken: 'admin' });
  onTestFinished(close);
  const operations = new Map(createOperations(engine.limits).map(operation => [operation.name, operation]));
  const examples: Example[] = [];
  for (const request of EXAMPLE_REQUESTS) {
    const { method, path } = operations.get(request.operation) as Operation;
    const target = path.replace(/:(\w+)/g, (_, name: string) => request.params?.[name] ?? '');
    const answer = await call(`${method} ${target}?${new URLSearchParams(request.query)}`, {
      ...(request.body !== undefined && { json: request.body }),
      headers: { 'x-admin-token': 'admin' },
    });
    examples.push({ ...request, status: answer.status, answer: steady(answer.body) });
    await engine.idle();
  }
  return { examples, operations };
}

test('every operation has an example, which was answered with success, as its schema says', async () => {
  const { examples, operations } = await runExamples();
  expect(new Set(examples.map(({ operation }) => operation))).toEqual(new Set(operations.keys()));
  for (const { operation, status, answer } of examples) {
    expect(status, operation).toBeLessThan(300);
    const schema = operations.get(operation)?.answers[status as 200];
    expect(schema?.parse(answer), operation).toEqual(answer);
  }
  if (process.env.UPDATE_EXAMPLES) {
    const head = EXAMPLES_HEAD;
    writeFileSync(FILE, `${head}${JSON.stringify(examples, null, 2)};\n`);
  } else expect(EXAMPLES).toEqual(examples);
});

const EXAMPLES_HEAD = `/** Requests and their answers, as the service gave them: made by \`npm run build:examples\`. */
import type { Example } from './operation.js';

export const EXAMPLES: readonly Example[] = `;
