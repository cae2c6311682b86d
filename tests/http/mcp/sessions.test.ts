/** Sessions of `/mcp`: their owners, their number and their end. */
import { describe, expect, it } from 'vitest';
import { exchange, INITIALIZE, LIST, messagesOf, openMcpApp, openSession, request, toolCall } from './mcp-app.js';

describe('an MCP session', () => {
  it('begins with initialize, and accepts requests with its id', async () => {
    const { app, endpoint } = openMcpApp();
    const session = await openSession(app);
    expect(session).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const { status, message } = await exchange(app, { message: LIST, session });
    expect([status, message.id, message.result.tools[0].name]).toEqual([200, 1, 'echo']);
    expect(endpoint.sessionCount).toBe(1);
  });

  it('answers notifications with 202', async () => {
    const { app } = openMcpApp();
    const session = await openSession(app);
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await request(app, { message, session })).status).toBe(202);
  });

  it('is freed by DELETE, and is then not found', async () => {
    const { app, endpoint } = openMcpApp();
    const session = await openSession(app);
    expect((await request(app, { method: 'DELETE', session })).status).toBe(200);
    expect(endpoint.sessionCount).toBe(0);
    const { status, message } = await exchange(app, { message: LIST, session });
    expect(status).toBe(404);
    expect(message).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } });
  });

  it.each(['POST', 'GET', 'DELETE'])('is not found for another caller who tries to %s', async method => {
    const { app, endpoint } = openMcpApp();
    const session = await openSession(app, { address: '10.0.0.1' });
    const { status, message } = await exchange(app, {
      method,
      session,
      address: '10.0.0.2',
      ...(method === 'POST' && { message: LIST }),
    });
    expect([status, message.error.code]).toEqual([404, -32_001]);
    expect(endpoint.sessionCount).toBe(1);
    // This service checks no tokens, so an invented token does not make the caller a different caller.
    const headers = { 'x-api-key': 'invented' };
    expect((await exchange(app, { message: LIST, session, headers, address: '10.0.0.1' })).status).toBe(200);
  });

  it('refuses a second initialize, and a request with the id of a running request', async () => {
    const { app, begun } = openMcpApp();
    const session = await openSession(app);
    expect((await exchange(app, { message: INITIALIZE, session })).status).toBe(400);
    const running = request(app, { message: toolCall(7, 'wait', { name: 'a' }), session });
    const call = await begun('a');
    const { status, message } = await exchange(app, { message: toolCall(7, 'echo', { text: 'x' }), session });
    expect([status, message.error.code]).toEqual([400, -32_600]);
    call.finish('done');
    expect((await messagesOf(await running))[0].result.content[0].text).toBe('done');
    expect((await exchange(app, { message: toolCall(7, 'echo', { text: 'x' }), session })).status).toBe(200);
  });
});

describe('no MCP session begins with', () => {
  it.each([
    ['a batch with initialize', [INITIALIZE]],
    ['initialize as a notification', { ...INITIALIZE, id: undefined }],
    ['initialize without a version', { ...INITIALIZE, params: {} }],
  ])('%s', async (_, message) => {
    const { app, endpoint, madeCount } = openMcpApp();
    const answer = await exchange(app, { message });
    expect([answer.status, answer.message.error.code]).toEqual([400, -32_600]);
    expect([endpoint.sessionCount, madeCount()]).toEqual([0, 0]);
  });

  it('an initialize request that does not accept a stream', async () => {
    const { app, endpoint } = openMcpApp();
    const answer = await exchange(app, { message: INITIALIZE, headers: { accept: 'application/json' } });
    expect([answer.status, answer.message.error.code]).toEqual([406, -32_000]);
    expect(endpoint.sessionCount).toBe(0);
  });

  it.each(['server/discover', 'tools/list', 'ping'])(
    '%s outside a session, although the request is answered',
    async method => {
      const { app, endpoint } = openMcpApp();
      const { status, headers, message } = await exchange(app, { message: { jsonrpc: '2.0', id: 1, method } });
      expect([status, headers.get('mcp-session-id'), message.id]).toEqual([200, null, 1]);
      expect(message.error?.code).toBe(method === 'server/discover' ? -32_601 : undefined);
      expect(endpoint.sessionCount).toBe(0);
    },
  );

  it('a tool call outside a session, although each such call gets its own server', async () => {
    const { app, endpoint, madeCount } = openMcpApp();
    const answers = await Promise.all(
      ['a', 'b'].map(text => exchange(app, { message: toolCall(1, 'echo', { text }) })),
    );
    expect(answers.map(({ message }) => message.result.content[0].text)).toEqual(['a', 'b']);
    expect([endpoint.sessionCount, madeCount()]).toEqual([0, 2]);
  });
});

describe('the number of MCP sessions', () => {
  it('stays at its limit by ending the least recently used session', async () => {
    const { app, endpoint } = openMcpApp({ maxCount: 3 });
    const [first = '', second = '', third = ''] = [
      await openSession(app),
      await openSession(app),
      await openSession(app),
    ];
    await exchange(app, { message: LIST, session: first });
    const fourth = await openSession(app);
    expect(endpoint.sessionCount).toBe(3);
    const statuses = [];
    for (const session of [first, second, third, fourth]) {
      statuses.push((await exchange(app, { message: LIST, session })).status);
    }
    expect(statuses).toEqual([200, 404, 200, 200]);
  });

  it('stays at its limit without ending sessions that have a running request or an open stream', async () => {
    const { app, begun } = openMcpApp({ maxCount: 3 });
    const running = await openSession(app);
    const streaming = await openSession(app);
    const idle = await openSession(app);
    const answer = request(app, { message: toolCall(1, 'wait', { name: 'a' }), session: running });
    const call = await begun('a');
    const stream = await request(app, { method: 'GET', session: streaming });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    await exchange(app, { message: LIST, session: idle });
    await openSession(app);
    expect((await exchange(app, { message: LIST, session: idle })).status).toBe(404);
    call.finish('still there');
    expect((await messagesOf(await answer))[0].result.content[0].text).toBe('still there');
    await stream.body?.cancel();
  });

  it('stays at its limit by refusing a new session with 503 while all sessions are in use', async () => {
    const { app, endpoint } = openMcpApp({ maxCount: 1 });
    const session = await openSession(app);
    const stream = await request(app, { method: 'GET', session });
    const refused = await exchange(app, { message: INITIALIZE });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.message).toMatchObject({ id: null, error: { code: -32_000, data: { status: 503 } } });
    await stream.body?.cancel();
    await openSession(app);
    expect(endpoint.sessionCount).toBe(1);
  });

  it('stays at its limit by ending a session of the caller that has the most sessions', async () => {
    const { app, endpoint } = openMcpApp({ maxCount: 3 });
    const statusOf = async (session: string, address: string) =>
      (await exchange(app, { message: LIST, session, address })).status;
    const modest = await openSession(app, { address: 'modest' });
    const greedy = [await openSession(app, { address: 'greedy' }), await openSession(app, { address: 'greedy' })];
    greedy.push(await openSession(app, { address: 'greedy' }));
    expect(await statusOf(modest, 'modest')).toBe(200);
    expect(await statusOf(greedy[0] ?? '', 'greedy')).toBe(404);
    const other = await openSession(app, { address: 'other' });
    expect(await statusOf(greedy[1] ?? '', 'greedy')).toBe(404);
    const running = request(app, { message: toolCall(1, 'wait'), session: greedy[2], address: 'greedy' });
    expect((await exchange(app, { message: INITIALIZE, address: 'greedy' })).status).toBe(503);
    for (const [session, address] of [
      [modest, 'modest'],
      [other, 'other'],
    ] as const) {
      expect(await statusOf(session, address)).toBe(200);
    }
    await endpoint.close();
    await (await running).text();
  });

  it('cannot be used up by one caller, whose open streams are limited to half of the sessions', async () => {
    const { app, endpoint } = openMcpApp({ maxCount: 4 });
    const streams = [];
    for (let opened = 0; opened < 4; opened++) {
      const session = await openSession(app, { address: 'greedy' });
      streams.push(await request(app, { method: 'GET', session, address: 'greedy' }));
    }
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(Number(streams[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const session = await openSession(app, { address: 'modest' });
    const stream = await request(app, { method: 'GET', session, address: 'modest' });
    expect(stream.status).toBe(200);
    await streams[0]?.body?.cancel();
    const again = await openSession(app, { address: 'greedy' });
    expect((await request(app, { method: 'GET', session: again, address: 'greedy' })).status).toBe(200);
    await endpoint.close();
  });

  it('decreases when sessions have been idle for longer than idleMs', async () => {
    const { app, endpoint, clock, begun } = openMcpApp();
    const [used, running] = [await openSession(app), await openSession(app), await openSession(app)];
    const answer = request(app, { message: toolCall(1, 'wait', { name: 'a' }), session: running });
    const call = await begun('a');
    clock.advance(400_000);
    await exchange(app, { message: LIST, session: used });
    clock.advance(300_000);
    expect(endpoint.sessionCount).toBe(2);
    expect((await exchange(app, { message: LIST, session: used })).status).toBe(200);
    call.finish('');
    await messagesOf(await answer);
    clock.advance(700_000);
    expect(endpoint.sessionCount).toBe(0);
  });
});
