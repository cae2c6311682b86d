/** The examples of the OpenAPI document are requests that were made, and the answers that came. */
import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { EXAMPLES } from '../../src/api/examples.js';
import type { Example, Operation } from '../../src/api/operation.js';
import { createOperations } from '../../src/api/operations.js';
import { openTestApp } from '../http/test-app.js';
import { EXAMPLE_REQUESTS } from '../support/example-requests.js';

/** In the order of src/api/examples.ts, which has a file for each. */
const TAGS: readonly Operation['tag'][] = ['memories', 'recall', 'relations', 'service'];

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
    examples.push({ ...request, status: answer.status, answer: answer.body });
    await engine.idle();
  }
  return { examples, operations };
}

test('every operation but health, whose answer is that of a machine, has an example that its schema describes', async () => {
  const { examples, operations } = await runExamples();
  expect([...new Set(examples.map(({ operation }) => operation)), 'health'].sort()).toEqual(
    [...operations.keys()].sort(),
  );
  for (const { operation, status, answer } of examples) {
    expect(status, operation).toBeLessThan(300);
    const schema = operations.get(operation)?.answers[status as 200];
    expect(schema?.parse(answer), operation).toEqual(answer);
  }
  const byTag = TAGS.map(tag => examples.filter(({ operation }) => operations.get(operation)?.tag === tag));
  if (process.env.UPDATE_EXAMPLES) {
    for (const [index, tag] of TAGS.entries()) writeExamples(tag, byTag[index] ?? []);
  } else expect(EXAMPLES).toEqual(byTag.flat());
});

function writeExamples(tag: Operation['tag'], examples: readonly Example[]): void {
  const head = `/** Requests about ${tag} and their answers: made by \`npm run build:examples\`. */
import type { Example } from '../operation.js';

export const EXAMPLES: readonly Example[] = `;
  const file = new URL(`../../src/api/examples/${tag}.ts`, import.meta.url);
  writeFileSync(file, `${head}${JSON.stringify(examples)};\n`);
}
