/** Headers that are set on finished answers. */
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { addSafeHeaders, SAFE_HEADERS, setAnswerHeader } from '../../src/http/every-request.js';

test('an answer is not copied when headers are set on it, because a copy is sent as a stream', async () => {
  const app = new Hono();
  app.use(addSafeHeaders(), async (context, next) => {
    await next();
    setAnswerHeader(context, 'X-Later', 'yes');
  });
  const made = new Response('{}', { headers: { 'Cache-Control': 'max-age=60' } });
  app.get('/', () => made);
  const answer = await app.request('/');
  expect(answer).toBe(made);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'x-later': 'yes',
    'x-content-type-options': SAFE_HEADERS['X-Content-Type-Options'],
    'cache-control': 'max-age=60',
  });
});
