/** MCP over a pair of streams, with every way in which the client can disconnect. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { RecallOutcome } from '../../src/domain/recall-results.js';
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

  it('continues after a line that is not a message', async () => {
    const { input, send, answers, reasons, lines, session } = await openSession();
    input.write('not json\n{"neither":"this"}\n');
    send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await answers()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(reasons).toEqual([]);
    expect(lines.map(line => line.level)).toEqual(['warn', 'warn']);
    await session.close();
  });

  it('ends when a message exceeds the read buffer, instead of hanging', async () => {
    const { input, gone, reasons, session, send, recalls } = await openSession();
    send(RECALL);
    await until(() => recalls.length === 1);
    input.write('x'.repeat(11 * 1024 * 1024));
    await gone;
    expect(reasons).toEqual(['the connection was closed']);
    await session.close();
  });

  it('reports no reason when the server itself closes the session', async () => {
    const { session, reasons } = await openSession();
    await session.close();
    expect(reasons).toEqual([]);
  });
});
