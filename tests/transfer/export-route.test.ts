/** `GET /export` streams the same lines that the export command writes. */
import { describe, expect, test } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { exportLines } from '../../src/transfer/export-lines.js';
import { appOf, filledMemory } from './filled.js';

const AS_ADMIN = { headers: { 'x-admin-token': 'admin' } };

describe('GET /export', () => {
  test('streams the lines of an export in pages', async () => {
    const { test: source, client } = await filledMemory(300);
    const answer = await appOf(source).request('/export', AS_ADMIN);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const chunks: string[] = [];
    for await (const chunk of answer.body ?? []) chunks.push(Buffer.from(chunk).toString());
    expect(chunks.length).toBeGreaterThan(3);
    let expected = '';
    const header = { version: 1, exported_at: 'x', engraph: 'x' };
    for await (const { text } of exportLines(client.exportPage, header)) expected += text;
    const withoutFirst = (text: string) => text.slice(text.indexOf('\n'));
    expect(withoutFirst(chunks.join(''))).toBe(withoutFirst(expected));
  });

  test('reads large records in small pages, each record once', async () => {
    const { test: source, client } = await filledMemory(0);
    const words = (index: number) =>
      Array.from({ length: 700 }, (_, key) => [`key${key}`, `value ${index} of ${key}`.repeat(3)]);
    await source.storeMany(
      Array.from({ length: 40 }, (_, index) => ({
        content: `large ${index}`,
        metadata: Object.fromEntries(words(index)),
      })),
    );
    await source.engine.idle();
    const stored: string[] = [];
    const sizes: number[] = [];
    for (let after: string | undefined; ; ) {
      const page = await client.exportPage({ part: 'memories', limit: 500, ...(after !== undefined && { after }) });
      stored.push(...page.records.flatMap(record => ('memory' in record ? [record.memory.id] : [])));
      sizes.push(JSON.stringify(page).length);
      after = page.next;
      if (after === undefined) break;
    }
    expect(new Set(stored).size).toBe(43);
    expect(stored).toHaveLength(43);
    expect(sizes.length).toBeGreaterThan(1);
    const longest = Math.max(
      ...(await (await appOf(source).request('/export', AS_ADMIN)).text()).split('\n').map(line => line.length),
    );
    // A page ends with the step in which it becomes large.
    expect(Math.max(...sizes)).toBeLessThan(500_000 + 25 * (longest + 1));
    const chunks: number[] = [];
    for await (const chunk of (await appOf(source).request('/export', AS_ADMIN)).body ?? []) chunks.push(chunk.length);
    expect(Math.max(...chunks)).toBeLessThan(1_048_576);
  });

  test('with the parameter since streams only memories that were changed since then', async () => {
    const { test: source, ids } = await filledMemory();
    source.clock.advance(86_400_000);
    await source.patch(ids.first, { importance: 0.1 });
    const answer = await appOf(source).request('/export?since=2026-03-02', AS_ADMIN);
    const memories = (await answer.text()).split('\n').filter(line => line.includes('"memory":'));
    expect(memories).toHaveLength(1);
    expect(memories[0]).toContain(ids.first);
    expect((await appOf(source).request('/export?since=soon', AS_ADMIN)).status).toBe(400);
  });

  test('requires the API token and the admin token', async () => {
    const { test: source } = await filledMemory(0);
    const app = appOf(source, { apiToken: 's3cret' });
    const statusWith = async (headers: Record<string, string>) => (await app.request('/export', { headers })).status;
    expect(await statusWith({ 'x-admin-token': 'admin' })).toBe(401);
    expect(await statusWith({ 'x-api-key': 's3cret' })).toBe(401);
    expect(await statusWith({ 'x-api-key': 's3cret', 'x-admin-token': 'admin' })).toBe(200);
    expect((await app.request('/export', { method: 'POST', headers: { 'x-api-key': 's3cret' } })).status).toBe(405);
  });

  test('answers with an error if the first page fails, and breaks off if a later page fails', async () => {
    const { test: source } = await filledMemory(300);
    const { engine } = source;
    let pages = 0;
    const failingAfter = (count: number) => ({
      ...engine,
      limits: engine.limits,
      transfer: {
        ...engine.transfer,
        exportPage: async (request: Parameters<typeof engine.transfer.exportPage>[0]) => {
          if (++pages > count) throw new MemoryError('unavailable', 'The graph store cannot be reached');
          return engine.transfer.exportPage(request);
        },
      },
    });
    const refused = await appOf({ engine: failingAfter(0), log: source.log }).request('/export', AS_ADMIN);
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
      503,
      'The graph store cannot be reached',
    ]);
    pages = 0;
    const broken = await appOf({ engine: failingAfter(9), log: source.log }).request('/export', AS_ADMIN);
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow();
  });
});
