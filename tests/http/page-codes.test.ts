/** One-time codes with which the web page gets the API token. */
import { afterAll, describe, expect, test } from 'vitest';
import { codeFrom, createPageCodes, proofOf } from '../../src/http/page.js';
import { openTestApp } from './test-app.js';

const TOKEN = 'correct horse battery staple';
const { call, close } = await openTestApp({ apiToken: TOKEN });
afterAll(close);

const issue = async () => (await call('POST /web/codes', { headers: { 'x-api-key': TOKEN } })).body.code as string;
const redeem = (code: string) => call('POST /web/session', { headers: { 'x-view-code': code } });

describe('a code', () => {
  test('is issued only to a caller with the token', async () => {
    expect((await call('POST /web/codes')).status).toBe(401);
    expect((await call('POST /web/codes', { headers: { 'x-api-key': 'wrong' } })).status).toBe(401);
    expect(await issue()).toMatch(/^[\w-]{43}$/);
  });

  test('returns the token once, and is refused the second time', async () => {
    const code = await issue();
    expect((await redeem(code)).body).toEqual({ status: 'success', token: TOKEN });
    const { status, body } = await redeem(code);
    expect([status, body.error]).toEqual([401, 'The link has been used already, or is older than a minute']);
    expect(JSON.stringify(body)).not.toContain(TOKEN);
  });

  test.each(['', 'x', '__proto__'])('that was never issued (%j) is refused with 401', async code => {
    expect((await redeem(code)).status).toBe(401);
    expect((await call('POST /web/session')).status).toBe(401);
  });

  test('is refused from a page of another origin', async () => {
    const headers = { 'x-view-code': await issue(), 'sec-fetch-site': 'cross-site' };
    expect((await call('POST /web/session', { headers })).status).toBe(403);
  });
});

describe('a proof of the token', () => {
  const PORT = 8001;
  const env = { incoming: { socket: { localPort: PORT } } };
  const show = (proof: string, on: object = env) =>
    call('POST /web/codes', { headers: { 'x-engraph-proof': proof }, env: on });

  test('is answered with what only a program that knows the token can turn into a code', async () => {
    for (const port of [PORT, undefined]) {
      const proof = proofOf(TOKEN, port);
      const { status, body } = await show(proof);
      expect(status).toBe(201);
      expect(body).not.toHaveProperty('code');
      expect(codeFrom(body, 'another token', proof)).toBeUndefined();
      expect(codeFrom(body, TOKEN, proofOf(TOKEN, port))).toBeUndefined();
      const code = codeFrom(body, TOKEN, proof) ?? '';
      expect(JSON.stringify(body)).not.toContain(code);
      expect((await redeem(code)).body.token).toBe(TOKEN);
    }
  });

  test('gives another code each time, so that a proof that was overheard opens nothing', async () => {
    const proof = proofOf(TOKEN, PORT);
    const [first, second] = [(await show(proof)).body, (await show(proof)).body];
    expect(codeFrom(first, TOKEN, proof)).not.toBe(codeFrom(second, TOKEN, proof));
    expect((await redeem(first.proof)).status).toBe(401);
  });

  test.each([
    ['with another token', proofOf('another token', PORT)],
    ['for another port', proofOf(TOKEN, PORT + 1)],
    ['whose port was changed', proofOf(TOKEN, PORT + 1).replace('.8002.', '.8001.')],
    ['whose port was left out', proofOf(TOKEN, PORT).replace('.8001.', '.any.')],
    ['without a digest', `${'n'.repeat(32)}.any.`],
    ['of another form', '__proto__'],
    ['that is empty', ''],
  ])('%s is refused like a wrong token', async (_, proof) => {
    expect((await show(proof)).status).toBe(401);
  });

  test('for a port is refused where the port is unknown', async () => {
    expect((await show(proofOf(TOKEN, PORT), {})).status).toBe(401);
  });
});

describe('issued codes', () => {
  test('are valid for less than a minute', () => {
    let nowMs = 0;
    const codes = createPageCodes(() => nowMs);
    const [early, late] = [codes.issue(), codes.issue()];
    nowMs = 59_999;
    expect(codes.redeem(early)).toBe(true);
    nowMs = 60_000;
    expect(codes.redeem(late)).toBe(false);
  });

  test('are limited to 20, and a further code replaces the oldest code', () => {
    const codes = createPageCodes(() => 0);
    const issued = Array.from({ length: 21 }, () => codes.issue());
    expect(new Set(issued).size).toBe(21);
    expect(issued.map(code => codes.redeem(code))).toEqual([false, ...Array.from({ length: 20 }, () => true)]);
  });
});
