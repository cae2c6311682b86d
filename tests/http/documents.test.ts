/** The OpenAPI document and the documentation page. */
import { afterAll, expect, test } from 'vitest';
import { openMcpApp } from './mcp/mcp-app.js';
import { openTestApp } from './test-app.js';

const { call, close } = await openTestApp();
afterAll(close);

test('GET /openapi.json has the version, and states the access that the settings define', async () => {
  const { body } = await call('GET /openapi.json');
  expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Engraph', version: '0.0.0' } });
  expect(body.paths['/recall'].get.security).toEqual([]);
  const guarded = await openTestApp({ apiToken: 'token' });
  const document = await guarded.call('GET /openapi.json', { headers: { 'x-api-key': 'token' } });
  await guarded.close();
  expect(document.body.paths['/recall'].get.security).toContainEqual({ bearer: [] });
  expect(document.body.paths['/admin/sync'].post.security).toContainEqual({ bearer: [], admin: [] });
  expect(document.body.paths['/health'].get.security).toEqual([]);
});

test('GET /openapi.json describes every route of the service, and no other', async () => {
  const { app, endpoint } = openMcpApp();
  const routes = app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const { paths } = (await (await app.request('/openapi.json')).json()) as { paths: Record<string, object> };
  await endpoint.close();
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual([...new Set(routes)].sort());
  for (const route of ['GET /export', 'GET /metrics', 'GET /openapi.json', 'GET /docs', 'POST /mcp']) {
    expect(described).toContain(route);
  }
});

test('GET /docs shows every operation with parameters and fields, and loads no other resource', async () => {
  const { body: document } = await call('GET /openapi.json');
  const { body: page, headers } = await call('GET /docs');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  expect(page).not.toMatch(/<script|<link|<img|https?:/);
  for (const [path, methods] of Object.entries<Record<string, { operationId: string; summary: string }>>(
    document.paths,
  )) {
    expect(page).toContain(`<code>${path}</code>`);
    for (const { operationId, summary } of Object.values(methods)) {
      expect(page).toContain(`id="${operationId}"`);
      expect(page).toContain(summary);
    }
  }
  for (const field of ['expand_min_strength', 'supersedes_memory_id', 'observations', 'remove_orphans']) {
    expect(page).toContain(`<code>${field}</code>`);
  }
});

test('GET /docs escapes markup in texts of the document', async () => {
  const { body: page } = await call('GET /docs');
  expect(page).toContain('in words such as &quot;yesterday&quot;');
});
