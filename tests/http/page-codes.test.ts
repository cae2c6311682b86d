/** Codes that open the page once. */
import { afterAll, describe, expect, test } from 'vitest';
import { createPageCodes } from '../../src/http/page-codes.js';
import { openTestApp } from './test-app.js';

const TOKEN = 'correct horse battery staple';
const { call, close } = await openTestApp({ apiToken: TOKEN });
afterAll(close);

const issue = async () => (await call('POST /web/codes', { headers: { 'x-api-key': TOKEN } })).body.code as string;
const redeem = (code: string) => call('POST /web/session', { headers: { 'x-view-code': code } });

describe('a code', () => {
  test('is given to a caller with the token, and to nobody else', async () => {
    expect((await call('POST /web/codes')).status).toBe(401);
    expect((await call('POST /web/codes', { headers: { 'x-api-key': 'wrong' } })).status).toBe(401);
    expect(await issue()).toMatch(/^[\w-]{43}$/);
  });

  test('gives the token once', async () => {
    const code = await issue();
    expect((await redeem(code)).body).toEqual({ status: 'success', token: TOKEN });
    const { status, body } = await redeem(code);
    expect([status, body.error]).toEqual([401, 'The link has been used already, or is older than a minute']);
    expect(JSON.stringify(body)).not.toContain(TOKEN);
  });

  test.each(['', 'x', '__proto__'])('that was never given (%j) gives nothing', async code => {
    expect((await redeem(code)).status).toBe(401);
    expect((await call('POST /web/session')).status).toBe(401);
  });

  test('is refused from a page of another origin', async () => {
    const headers = { 'x-view-code': await issue(), 'sec-fetch-site': 'cross-site' };
    expect((await call('POST /web/session', { headers })).status).toBe(403);
  });
});

describe('codes by the clock', () => {
  test('hold for a minute', () => {
    let nowMs = 0;
    const codes = createPageCodes(() => nowMs);
    const [early, late] = [codes.issue(), codes.issue()];
    nowMs = 59_999;
    expect(codes.redeem(early)).toBe(true);
    nowMs = 60_000;
    expect(codes.redeem(late)).toBe(false);
  });

  test('replace each other where many are asked for', () => {
    const codes = createPageCodes(() => 0);
    const issued = Array.from({ length: 21 }, () => codes.issue());
    expect(new Set(issued).size).toBe(21);
    expect(issued.map(code => codes.redeem(code))).toEqual([false, ...Array.from({ length: 20 }, () => true)]);
  });
});
