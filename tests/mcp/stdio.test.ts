/** MCP over a pair of streams, with every way in which the client can disconnect. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { RecallOutcome } from '../../src/domain/recall.js';
import type { Engine } from '../../src/engine/engine.js';
import { serveStdio } from '../../src/mcp/stdio.js';
import { createTestServer, faultyEngine, recordingLog } from './connected-client.js';

const RECALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'recall_memory', arguments: {} } };
const EMPTY: RecallOutcome = {
  query: { limit: 5, tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix' },
  results: [],
  duplicatesRemoved: 0,
  sort: 'score',
  confidence: 'none',
  isVectorSearchEnabled: true,
  isCurrentOnly: true,
  window: {},
  suppressed: [],
  hasRecencyBias: false,
  omittedCount: 0,
  isBudgetExceeded: false,
  durationMs: 0,
};

/** A session whose recalls are answered when the test allows it. */
async function openSession() {
  const { log, lines } = recordingLog();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const recalls: (() => void)[] = [];
  const recall: Engine['recall'] = () => new Promise(resolve => recalls.push(() => resolve(EMPTY)));
  const server = createTestServer(faultyEngine({ recall }), log);
  const reasons: string[] = [];
  let announce: () => void;
  const gone = new Promise<void>(resolve => {
    announce = resolve;
  });
  const onClose = (reason: string) => {
    reasons.push(reason);
    announce();
  };
  const session = await serveStdio(server, { onClose, log, input, output });
  const answers = responsesFrom(output);
  const send = (message: unknown) => input.write(`${JSON.stringify(message)}\n`);
  return { input, output, session, reasons, gone, lines, recalls, answers, send };
}

/** Returns a function that reads the next answer at each call. */
function responsesFrom(output: PassThrough) {
  const lines = output[Symbol.asyncIterator]();
  return async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve));
}

describe('MCP over stdio', () => {
  it('reports the end of stdin once', async () => {
    const { input, gone, reasons, session } = await openSession();
    input.end();
    await gone;
    input.destroy();
    await session.close();
    expect(reasons).toEqual(['stdin has ended']);
  });

  it('reports that stdin was closed if stdin closes before its end', async () => {
    const { input, gone, reasons } = await openSession();
    input.destroy();
    await gone;
    expect(reasons).toEqual(['stdin was closed']);
  });

  it('survives a closed stdout, and then does not wait for answers', async () => {
    const { output, gone, reasons, session, send, recalls } = await openSession();
    send(RECALL);
    await until(() => recalls.length === 1);
    output.emit('error', new Error('write EPIPE'));
    await gone;
    expect(reasons).toEqual(['stdout is not writable: write EPIPE']);
    await session.close();
  });

  it('answers requests in flight before it disconnects', async () => {
    const { input, gone, session, send, recalls, answers } = await openSession();
    send(RECALL);
    await until(() => recalls.length === 1);
    input.end();
    await gone;
    const closed = session.close();
    recalls[0]?.();
    expect(await answers()).toMatchObject({ id: 7, result: { structuredContent: { count: 0 } } });
    await closed;
  });

  it('does not wait for a cancelled request', async () => {
    const { session, send, recalls } = await openSession();
    send(RECALL);
    await until(() => recalls.length === 1);
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    await new Promise(resolve => setImmediate(resolve));
    await session.close();
  });

  it.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
    'answers %s without params, as most clients send it',
    async method => {
      const { send, answers, session } = await openSession();
      send({ jsonrpc: '2.0', id: 1, method });
      expect(await answers()).toMatchObject({ id: 1, result: {} });
      await session.close();
    },
  );

  it('answers a call without params with the code of invalid params', async () => {
    const { send, answers, session } = await openSession();
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
    expect(await answers()).toMatchObject({ id: 1, error: { code: -32_602 } });
    await session.close();
  });

  it.each([
    ['text', 'not json', null, -32_700],
    ['JSON that is no message', '{"neither":"this"}', null, -32_600],
    ['a request without a proper method', '{"jsonrpc":"2.0","id":5,"method":7}', 5, -32_600],
    ['a response to nothing', '{"jsonrpc":"2.0","id":5,"result":7}', null, -32_600],
    ['a batch', '[{"jsonrpc":"2.0","id":5,"method":"ping"}]', null, -32_600],
    ['a NUL', '{"jsonrpc":"2.0","id":5,"method":"ping"}\0', null, -32_700],
    ['invalid UTF-8', Buffer.from('{"jsonrpc":"2.0","id":5,"method":"\xff"}', 'latin1'), null, -32_700],
    ['cut UTF-8', Buffer.from('{"jsonrpc":"2.0","id":5,"method":"\xc3"}', 'latin1'), null, -32_700],
    ['half a message', '{"jsonrpc":"2.0","id":5,"meth', null, -32_700],
  ])('answers %s with an error, and reads the next line', async (_, line, id, code) => {
    const { input, send, answers, reasons, lines, session } = await openSession();
    input.write(line);
    input.write('\n');
    send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await answers()).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    expect(await answers()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(reasons).toEqual([]);
    expect(lines.map(each => each.level)).toEqual(['warn']);
    await session.close();
  });

  it.each([
    ['a blank line', '\n'],
    ['spaces and a carriage return', '  \t\r\n'],
    ['a byte order mark', '\ufeff'],
    ['a malformed cancellation', '{"jsonrpc":"2.0","method":"notifications/cancelled"}\n'],
  ])('passes over %s', async (_, text) => {
    const { input, send, answers, session } = await openSession();
    input.write(text);
    send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await answers()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    await session.close();
  });

  const LONG = 'x'.repeat(11 * 1_048_576);
  it.each([
    ['its first member', `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"a":"${LONG}"}}`, 8],
    ['its last member', `{"method":"tools/call","params":{"a":"${LONG}"},"jsonrpc":"2.0","id":"q-8"}`, 'q-8'],
    ['a member of its arguments only', `{"method":"tools/call","params":{"a":"${LONG}","id":8}}`, null],
    ['a text within it only', `{"method":"tools/call","params":"${LONG},\\"id\\":8}"}`, null],
    ['nowhere', LONG, null],
  ])('refuses a line over 10 MiB whose id is %s, and reads the next line', async (_, line, id) => {
    const { input, send, answers, reasons, session, recalls } = await openSession();
    send(RECALL);
    await until(() => recalls.length === 1);
    for (let start = 0; start < line.length; start += 1_000_003) input.write(line.slice(start, start + 1_000_003));
    input.write('\n');
    send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await answers()).toMatchObject({ id, error: { code: -32_600, message: expect.stringMatching(/10 MiB/) } });
    expect(await answers()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    recalls[0]?.();
    expect(await answers()).toMatchObject({ id: 7, result: {} });
    expect(reasons).toEqual([]);
    await session.close();
  });

  it('reads a line of 10 MiB that arrives in small pieces', async () => {
    const { input, answers, session } = await openSession();
    const line = Buffer.from(
      `{"jsonrpc":"2.0","id":8,"method":"ping","params":{"_meta":{"a":"${LONG.slice(2_097_152)}"}}}\n`,
    );
    for (let start = 0; start < line.length; start += 65_536) input.write(line.subarray(start, start + 65_536));
    expect(await answers()).toEqual({ jsonrpc: '2.0', id: 8, result: {} });
    await session.close();
  });

  it.each([
    ['whole', '{"jsonrpc":"2.0","id":1,"method":"ping"}', { id: 1, result: {} }],
    ['cut', '{"jsonrpc":"2.0","id":1,"meth', { id: null, error: { code: -32_700 } }],
    ['too long', LONG, { id: null, error: { code: -32_600 } }],
  ])('answers a last line without a newline that is %s', async (_, line, answer) => {
    const { input, gone, answers, session, reasons } = await openSession();
    input.end(line);
    await gone;
    const closed = session.close();
    expect(await answers()).toMatchObject(answer);
    await closed;
    expect(reasons).toEqual(['stdin has ended']);
  });

  it('reports no reason when the server itself closes the session', async () => {
    const { session, reasons } = await openSession();
    await session.close();
    expect(reasons).toEqual([]);
  });
});
