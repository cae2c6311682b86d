/** Calls every operation of the OpenAPI document with every kind of token. The access must be as documented. */
import { afterAll, describe, expect, it } from 'vitest';
import { createOperations } from '../../src/api/operations.js';
import { openTestApp, UNKNOWN_ID } from './test-app.js';
import { type Form, formsOf, NO_TOKEN } from './token-forms.js';

const TOKEN = 'correct horse';
const ADMIN = 'battery staple';

const withAdmin = await openTestApp({ apiToken: TOKEN, adminToken: ADMIN });
const withoutAdmin = await openTestApp({ apiToken: TOKEN });
afterAll(async () => {
  await withAdmin.close();
  await withoutAdmin.close();
});

interface Described {
  operationId: string;
  security: Record<string, string[]>[];
  responses: Record<string, unknown>;
}

const { body: document } = await withAdmin.call('GET /openapi.json', { headers: { 'x-api-key': TOKEN } });
const documented = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, described]): [string, Described] => [
      `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, UNKNOWN_ID)}`,
      described,
    ]),
);
/** These have other failures, or other forms of answers, and tests of their own. */
const ELSEWHERE = ['export', 'mcpSend', 'mcpListen', 'mcpEnd', 'redeemPageCode'];
const operations = documented.filter(([, { operationId }]) => !ELSEWHERE.includes(operationId));

const ADMIN_FORMS: Form[] = [
  { name: 'no admin token', headers: {}, query: '', isRight: false },
  { name: 'a wrong admin token', headers: { 'x-admin-token': 'wrong' }, query: '', isRight: false },
  { name: 'X-Admin-Token', headers: { 'x-admin-token': ADMIN }, query: '', isRight: true },
  { name: 'X-Admin-Api-Key', headers: { 'x-admin-api-key': ADMIN }, query: '', isRight: true },
  { name: 'admin_token', headers: {}, query: `admin_token=${encodeURIComponent(ADMIN)}`, isRight: true },
];
const TOKEN_FORMS = [NO_TOKEN, ...formsOf('wrong', false), ...formsOf(TOKEN, true)];

/** The expected status and error when the tokens do not suffice. Undefined when the request is allowed. */
function refusal({ security }: Described, token: Form, admin: Form, isAdminSet: boolean): [number, string] | undefined {
  if (security.length === 0) return undefined;
  if (!token.isRight) return [401, 'Unauthorized'];
  if (!security.some(schemes => 'admin' in schemes)) return undefined;
  if (!isAdminSet) return [403, 'Admin token not configured'];
  return admin.isRight ? undefined : [401, 'Admin authorization required'];
}

describe.each(operations)('the access to %s is as documented', (route, described) => {
  describe.each(TOKEN_FORMS.map(form => [form.name, form] as const))('with %s', (_, token) => {
    it.each(ADMIN_FORMS.map(form => [form.name, form] as const))('and %s', async (_name, admin) => {
      for (const [server, isAdminSet] of [
        [withAdmin, true],
        [withoutAdmin, false],
      ] as const) {
        const query = [token.query, admin.query].filter(part => part !== '').join('&');
        const headers = { ...token.headers, ...admin.headers };
        const { status, body } = await server.call(`${route}?${query}`, { headers });
        expect(Object.keys(described.responses)).toContain(String(status));
        const expected = refusal(described, token, admin, isAdminSet);
        if (expected) expect([status, body.error]).toEqual(expected);
        else expect([401, 403]).not.toContain(status);
      }
    });
  });
});

it('the OpenAPI document contains every operation', () => {
  const limits = withAdmin.engine.limits;
  const names = createOperations(limits).map(({ name }) => name);
  expect(operations.map(([, { operationId }]) => operationId)).toEqual(expect.arrayContaining(names));
});
