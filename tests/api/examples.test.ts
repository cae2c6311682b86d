/** The examples of the OpenAPI document are recorded requests and answers. */
import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { EXAMPLES } from '../../src/api/openapi.js';
import type { Example, Operation } from '../../src/api/operation.js';
import { createOperations } from '../../src/api/operations.js';
import { createTestApp, send } from '../http/test-app.js';
import { EXAMPLE_PROPOSAL, EXAMPLE_REQUESTS, EXAMPLE_SETTINGS, RUN_IDS } from '../support/example-requests.js';
import { openGraphOf, openTestEngine } from '../support/test-engine.js';

/** The tags of the operations, in the order of src/api/examples.json. */
const TAGS: readonly Operation['tag'][] = ['memories', 'recall', 'relations', 'consolidation', 'hooks', 'service'];

async function openStory() {
  const test = await openTestEngine(EXAMPLE_SETTINGS);
  onTestFinished(test.close);
  await test.reopen(async () => {
    const graph = openGraphOf(test.config);
    await graph.saveNode(EXAMPLE_PROPOSAL);
    await graph.close();
  });
  return test;
}

async function runExamples(): Promise<{ examples: Example[]; operations: Map<string, Operation> }> {
  const { engine, log } = await openStory();
  const app = createTestApp({ engine, settings: { adminToken: 'admin' }, log });
  const operations = new Map<string, Operation>(
    createOperations(engine.limits).map(operation => [operation.name, operation]),
  );
  const examples: Example[] = [];
  const runIds: string[] = [];
  for (const request of EXAMPLE_REQUESTS) {
    const { params, query, body } = replacing(request, RUN_IDS, runIds);
    const { method, path } = operations.get(request.operation) as Operation;
    const target = path.replace(/:(\w+)/g, (_, name: string) => params?.[name] ?? '');
    const answer = await send(app, `${method} ${target}?${new URLSearchParams(query)}`, {
      ...(body !== undefined && { json: body }),
      headers: { 'x-admin-token': 'admin' },
    });
    if (request.operation === 'consolidate') runIds.push(answer.body.consolidation.run_id);
    examples.push({ ...request, status: answer.status, answer: replacing(answer.body, runIds, RUN_IDS) });
    await engine.idle();
  }
  return { examples, operations };
}

/** Replaces each of `names`, everywhere in the value, by the name at the same position in `others`. */
function replacing<Value>(value: Value, names: readonly string[], others: readonly string[]): Value {
  let text = JSON.stringify(value);
  for (const [index, name] of names.entries()) text = text.replaceAll(name, others[index] ?? name);
  return JSON.parse(text) as Value;
}

test('every operation except health, whose answer depends on the machine, has an example that matches its schema', async () => {
  const { examples, operations } = await runExamples();
  expect([...new Set(examples.map(({ operation }) => operation)), 'health'].sort()).toEqual(
    [...operations.keys()].sort(),
  );
  for (const { operation, status, answer } of examples) {
    expect(status, operation).toBeLessThan(300);
    const schema = operations.get(operation)?.answers[status as 200];
    expect(schema?.parse(answer), operation).toEqual(answer);
  }
  const recorded = TAGS.flatMap(tag => examples.filter(({ operation }) => operations.get(operation)?.tag === tag));
  if (process.env.UPDATE_EXAMPLES) {
    writeFileSync(new URL('../../src/api/examples.json', import.meta.url), `${JSON.stringify(recorded, null, 2)}\n`);
  } else expect(EXAMPLES).toEqual(recorded);
});
