/** Calls in progress on `/mcp`: the routing of their answers, and their early end. */
import { expect, it } from 'vitest';
import { exchange, INITIALIZE, messagesOf, openMcpApp, openSession, request, toolCall } from './mcp-app.js';

it('clients that use the same request id get their own answers, in whatever order their calls end', async () => {
  const { app, begun } = openMcpApp();
  const [one, two] = [await openSession(app), await openSession(app)];
  const send = (session: string | undefined, name: string) =>
    request(app, { message: toolCall(1, 'wait', { name }), session });
  const names = ['one', 'two', 'alone', 'alone too'];
  const answers = [send(one, 'one'), send(two, 'two'), send(undefined, 'alone'), send(undefined, 'alone too')];
  const calls = await Promise.all(names.map(begun));
  for (const index of [3, 1, 0, 2]) calls[index]?.finish(`for ${names[index]}`);
  const messages = await Promise.all(answers.map(async answer => messagesOf(await answer)));
  expect(messages.map(([message]) => [message.id, message.result.content[0].text])).toEqual(
    names.map(name => [1, `for ${name}`]),
  );
  expect(messages.every(list => list.length === 1)).toBe(true);
});

it.each<[unknown, string]>([
  [{ text: 'said' }, 'said'],
  ['{"text":"said"}', 'said'],
  [' {"text": "said"}\n', 'said'],
])('arguments of %j are read as an object', async (given, answer) => {
  const { app } = openMcpApp();
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: given } };
  const answered = await exchange(app, { message });
  expect(answered.message.result.content[0].text).toBe(answer);
});

it('a cancelled call ends its stream without an answer, and its id can be used again', async () => {
  const { app, begun } = openMcpApp();
  const session = await openSession(app);
  const answer = request(app, { message: toolCall(5, 'wait', { name: 'a' }), session });
  const call = await begun('a');
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
  expect((await request(app, { message: cancel, session })).status).toBe(202);
  expect(await messagesOf(await answer)).toEqual([]);
  expect(call.signal.aborted).toBe(true);
  const again = await exchange(app, { message: toolCall(5, 'echo', { text: 'again' }), session });
  expect(again.message.result.content[0].text).toBe('again');
  call.finish('too late');
});

it('a cancellation without params cancels nothing, and other messages of its batch are answered', async () => {
  const { app } = openMcpApp();
  const batch = [{ jsonrpc: '2.0', method: 'notifications/cancelled' }, toolCall(5, 'echo', { text: 'heard' })];
  const [answer] = await messagesOf(await request(app, { message: batch }));
  expect(answer.result.content[0].text).toBe('heard');
});

it('a client cannot cancel the call of another client', async () => {
  const { app, begun } = openMcpApp();
  const [one, two] = [await openSession(app), await openSession(app)];
  const answer = request(app, { message: toolCall(5, 'wait', { name: 'a' }), session: one });
  const call = await begun('a');
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
  for (const session of [two, undefined]) await request(app, { message, session });
  expect(call.signal.aborted).toBe(false);
  call.finish('done');
  expect((await messagesOf(await answer))[0].result.content[0].text).toBe('done');
});

it('DELETE ends the running calls of a session', async () => {
  const { app, begun } = openMcpApp();
  const session = await openSession(app);
  const answer = request(app, { message: toolCall(5, 'wait', { name: 'a' }), session });
  const call = await begun('a');
  await request(app, { method: 'DELETE', session });
  expect(call.signal.aborted).toBe(true);
  expect(await messagesOf(await answer)).toEqual([]);
});

it('closing the endpoint answers running calls, ends open streams at once and refuses new requests', async () => {
  const { app, endpoint, begun } = openMcpApp();
  const [session, streaming] = [await openSession(app), await openSession(app)];
  const stream = await request(app, { method: 'GET', session: streaming });
  const answer = request(app, { message: toolCall(5, 'wait', { name: 'a' }), session });
  const call = await begun('a');
  endpoint.beginClosing();
  expect(await stream.text()).toBe('');
  const refused = await exchange(app, { message: INITIALIZE });
  expect([refused.status, refused.message.error.message]).toEqual([503, 'The service is shutting down']);
  call.finish('done');
  expect((await messagesOf(await answer))[0].result.content[0].text).toBe('done');
  await endpoint.close();
  expect(endpoint.sessionCount).toBe(0);
});

it('closing the endpoint aborts calls that do not end by themselves', async () => {
  const { app, endpoint, begun } = openMcpApp();
  const session = await openSession(app);
  void request(app, { message: toolCall(1, 'wait', { name: 'a' }), session });
  void request(app, { message: toolCall(1, 'wait', { name: 'b' }) });
  const calls = await Promise.all(['a', 'b'].map(begun));
  await endpoint.close();
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
});
