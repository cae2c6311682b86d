/** Credentials in tags and metadata are refused by the tools, and reported by GET /analyze/credentials. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openTestApp } from '../http/test-app.js';
import { type ConnectedClient, connectClient, structuredOf, textOf } from '../mcp/connected-client.js';
import { idOf } from '../support/records.js';
import { openTestEngine } from '../support/test-engine.js';
import { completed } from './examples.js';

const TOKEN = completed('glpat-{a20}');

/** Where a record may carry a secret, as clients send it. */
const RECORDS: [field: 'tags' | 'metadata', fields: Record<string, unknown>][] = [
  ['metadata', { metadata: { password: 'hunter2hunter2' } }],
  ['metadata', { metadata: { db: { user: 'shop', passwords: ['kettle77x'] } } }],
  ['metadata', { metadata: { env: [{ name: 'DB_PASSWORD', value: 'kettle77x' }] } }],
  ['metadata', { metadata: { note: `deploy with ${TOKEN}` } }],
  ['metadata', { metadata: { api_key: completed('{h32}') } }],
  ['metadata', { metadata: { [TOKEN]: 'the token of the deployment' } }],
  ['metadata', { metadata: { keys: { [TOKEN]: true } } }],
  ['metadata', { metadata: { [TOKEN]: [], other: 1 } }],
  ['metadata', { metadata: { 'DB_PASSWORD=kettle77x': {} } }],
  ['metadata', { metadata: { auth: { bearer: completed('{h40}') } } }],
  ['metadata', { metadata: { log: 'line one\nPassword: kettle77x\nline three' } }],
  ['tags', { tags: ['deploy', TOKEN] }],
  ['tags', { tags: ['password:hunter2hunter2'] }],
  ['tags', { tags: `deploy, token=${completed('{h32}')}` }],
];
const HARMLESS = [
  { tags: ['topic:password', 'token:jwt-rs256', 'secret', 'api-key'] },
  { metadata: { topic: 'password rotation', token_count: 2048, max_tokens: 4096, next_token: 'CAUQAA1234xyz' } },
  { metadata: { commit: '3f2a9c1d4e5b6a7c8d9e0f1a2b3c4d5e6f708192', key: 'value77', password: 'see the vault' } },
  { metadata: { auth: { kind: 'bearer', token: '<token>' }, env: [{ name: 'PORT', value: '8001' }] } },
];

describe('the tools', () => {
  let client: ConnectedClient;
  beforeEach(async () => {
    const opened = await openTestEngine();
    client = await connectClient(opened.engine);
    onTestFinished(async () => {
      await client.close();
      await opened.close();
    });
  });

  test.each(RECORDS)('refuse a credential in %s: %j', async (field, fields) => {
    const content = 'The shop is deployed every Monday.';
    const { memory_id } = structuredOf<{ memory_id: string }>(
      await client.call('store_memory', { content: 'A shop.' }),
    );
    for (const result of [
      await client.call('store_memory', { content, ...fields }),
      await client.call('store_memory', { memories: [{ content: 'Fine.' }, { content, ...fields }] }),
      await client.call('update_memory', { memory_id, ...fields }),
    ]) {
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(field === 'tags' ? /a tag seems to contain/ : /metadata seems to contain/);
      expect(JSON.stringify(result)).not.toMatch(/hunter2|kettle77|aB3dE5|pU5kQ1|3a18f6/);
    }
    const allowed = await client.call('store_memory', { content, ...fields, allow_credentials: true });
    expect(structuredOf(allowed)).toHaveProperty('credential_warning');
  });

  test.each(HARMLESS)('store %j', async fields => {
    const result = await client.call('store_memory', { content: 'The shop is deployed every Monday.', ...fields });
    expect(textOf(result)).toContain('Memory stored.');
    expect(structuredOf(result)).not.toHaveProperty('credential_warning');
  });

  test('refuse a credential in what is said about a relation', async () => {
    const ids: string[] = [];
    for (const content of ['Lambda.', 'Fargate.']) {
      ids.push(structuredOf<{ memory_id: string }>(await client.call('store_memory', { content })).memory_id);
    }
    const relation = { memory1_id: ids[0], memory2_id: ids[1], type: 'INVALIDATED_BY' };
    for (const args of [
      { ...relation, reason: `the token ${TOKEN} was revoked` },
      { associations: [relation, { ...relation, reason: 'DB_PASSWORD=kettle77x' }] },
    ]) {
      const result = await client.call('associate_memories', args);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('seems to contain a credential');
    }
    expect((await client.call('associate_memories', { ...relation, reason: 'it moved' })).isError).toBeFalsy();
  });
});

test('GET /analyze/credentials reports them, present and former, without the secret', async () => {
  const { call, close } = await openTestApp();
  onTestFinished(close);
  for (const [index, [, fields]] of RECORDS.entries()) {
    const json = { id: idOf(index + 1), content: 'The shop is deployed every Monday.', ...fields };
    expect((await call('POST /memory', { json })).status).toBe(201);
  }
  await call(`PATCH /memory/${idOf(1)}`, { json: { metadata: { password: null } } });
  const { body } = await call('GET /analyze/credentials');
  const ids = body.findings.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(RECORDS.map((_, index) => idOf(index + 1)));
  expect(body.findings[0].only_in_history).toBe(true);
  expect(body.findings[1].only_in_history).toBe(false);
  expect(JSON.stringify(body)).not.toMatch(/hunter2|kettle77|aB3dE5|pU5kQ1|3a18f6/);
});
