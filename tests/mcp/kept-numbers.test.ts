/** A number in metadata that JavaScript would change is refused over stdin too, where it is seen as it was written. */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { serveStdio } from '../../src/mcp/stdio.js';
import { openTestEngine } from '../support/test-engine.js';
import { createTestServer, recordingLog } from './connected-client.js';

const { engine, close } = await openTestEngine();
const { log } = recordingLog();
const [input, output] = [new PassThrough(), new PassThrough()];
const session = await serveStdio(createTestServer(engine, log), { onClose: () => {}, log, input, output });
const answers = createInterface(output)[Symbol.asyncIterator]();
afterAll(async () => {
  await session.close();
  await close();
});

async function call(args: string): Promise<{ isError?: boolean; content: { text: string }[] }> {
  const params = `{"name":"store_memory","arguments":${args}}`;
  input.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}\n`);
  for (;;) {
    const answer = JSON.parse(String((await answers.next()).value));
    if (answer.id === 1) return answer.result;
  }
}

test.each([
  ['1234567890123456789', '{"content":"x","metadata":{"id":1234567890123456789}}'],
  ['0.12345678901234567891', '{"content":"x","metadata":{"a":{"b":[0.12345678901234567891]}}}'],
  ['1e400', '{"memories":[{"content":"x","metadata":{"id":1e400}}]}'],
  ['9007199254740993', '{"memories":"[{\\"content\\":\\"x\\",\\"metadata\\":{\\"id\\":9007199254740993}}]"}'],
])('%s is refused', async (number, args) => {
  const { isError, content } = await call(args);
  expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(number)]);
  expect(content[0]?.text).toContain('quote it as text');
});

test.each([
  '{"content":"x","metadata":{"id":"1234567890123456789","list":[1.0,1e2,-0,1e20,6.02214076e23,9007199254740991]}}',
  '{"memories":[{"content":"y","metadata":{"ratio":0.30000000000000004}}]}',
])('%s is stored', async args => expect((await call(args)).isError).not.toBe(true));
