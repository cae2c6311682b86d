/** The files of the web page: access, content security policy, caching and compression. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpSettings } from '../../src/http/app.js';
import { openTestApp } from './test-app.js';

async function openPage(settings: Partial<HttpSettings> = {}) {
  const opened = await openTestApp(settings);
  onTestFinished(opened.close);
  return opened;
}

const FILES = ['/', '/web/page.js', '/web/page.css'];

describe('the page', () => {
  test.each(FILES)('%s needs no token, and its content security policy forbids inline scripts', async path => {
    const { app } = await openPage({ apiToken: 'a secret token' });
    const { status, headers } = await app.request(path);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/);
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  test.each(FILES)('%s is answered with 304 when the browser has the current version', async path => {
    const { app } = await openPage();
    const tag = (await app.request(path)).headers.get('etag') ?? '';
    expect(tag).not.toBe('');
    const again = await app.request(path, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('is compressed for a browser that accepts gzip', async () => {
    const { app } = await openPage();
    const plain = await app.request('/web/page.js');
    const zipped = await app.request('/web/page.js', { headers: { 'accept-encoding': 'gzip, br' } });
    expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([null, 'gzip']);
    expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(await plain.text());
  });

  test('tells its script which tokens are needed and whether writing is allowed, but contains no token', async () => {
    const words = async (settings: Partial<HttpSettings>) => {
      const { app } = await openPage(settings);
      const page = await (await app.request('/')).text();
      expect(page).not.toContain('s3cret');
      return /name="engraph-settings" content="([^"]*)"/.exec(page)?.[1];
    };
    expect(await words({})).toBe('');
    expect(await words({ apiToken: 's3cret', adminToken: 's3cret', isReadOnly: true })).toBe('token admin read-only');
  });

  test('loads nothing from another host', async () => {
    const { app } = await openPage();
    for (const path of FILES) {
      const text = await (await app.request(path)).text();
      const addresses = [...text.matchAll(/https?:\/\/[^\s'"`)]+/g)].map(([address]) => address);
      // Allows the XML namespaces of the W3C, and the example address in an error message of the client.
      expect(addresses.filter(address => !/^http:\/\/(?:www\.w3\.org\/|127\.0\.0\.1:8001,)/.test(address))).toEqual([]);
    }
  });

  test('refuses POST, and requests from pages of other origins', async () => {
    const { call } = await openPage();
    expect((await call('POST /')).status).toBe(405);
    expect((await call('GET /', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  });
});
