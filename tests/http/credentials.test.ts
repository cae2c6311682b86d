/** GET /analyze/credentials finds stored secrets, and never returns a secret itself. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { idOf } from '../support/records.js';
import { openTestApp } from './test-app.js';

/** Written in two parts, so that scanners of repositories do not take it for a real token. */
const TOKEN = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`;
const AWS_SECRET = `wJalrXUtnFEMIx7MDENG${'xbPxRfiCYzXMPLEKEYq1'}`;
const FILLER = 'The ferry leaves at noon and returns in the evening. ';

async function opened() {
  const { call, close, logged } = await openTestApp();
  onTestFinished(close);
  const store = (number: number, content: string, more: object = {}) =>
    call('POST /memory', { json: { id: idOf(number), content, ...more } });
  const search = async (query = '') => (await call(`GET /analyze/credentials${query}`)).body;
  return { call, store, search, logged };
}

describe('GET /analyze/credentials', () => {
  test('lists memories with credentials, the kinds of credentials, and the words before the secret', async () => {
    const { call, store, search, logged } = await opened();
    await store(1, `Deploy the shop with the token ${TOKEN} from the wiki.`);
    await store(2, 'Ann keeps the token of the shop in the vault.');
    await store(
      3,
      `The line AWS_SECRET_ACCESS_KEY = ${AWS_SECRET} belongs to the backup, see https://ann:s3cretpw@example.com/x`,
    );
    await store(4, `${FILLER.repeat(300)}postgres://bob:hunter22x@db.example.com/shop`);
    await call(`PATCH /memory/${idOf(4)}`, { json: { archived: true } });
    const body = await search();
    expect(body).toEqual({
      status: 'success',
      findings: [
        {
          id: idOf(1),
          kinds: ['GITHUB TOKEN'],
          excerpt: 'Deploy the shop with the token [GITHUB TOKEN]',
          only_in_history: false,
        },
        {
          id: idOf(3),
          kinds: expect.arrayContaining(['AWS Secret Access Key', 'Basic Auth']),
          excerpt: 'The line [AWS Secret Access Key]',
          only_in_history: false,
        },
        {
          id: idOf(4),
          kinds: ['PostgreSQL Connection'],
          excerpt: expect.stringMatching(/^… .*returns in the evening\. \[PostgreSQL Connection\]$/),
          only_in_history: false,
        },
      ],
      scanned: 4,
      next: null,
    });
    const text = JSON.stringify([body, logged]);
    for (const secret of [TOKEN, AWS_SECRET, 's3cretpw', 'hunter22x']) {
      for (let from = 0; from + 5 <= secret.length; from++) expect(text).not.toContain(secret.slice(from, from + 5));
    }
  });

  test('finds a secret that an edit has moved to the history, until the memory is deleted', async () => {
    const { call, store, search } = await opened();
    for (let number = 1; number <= 60; number++) {
      await store(number, number === 55 ? `Deploy with ${TOKEN}` : `Note ${number}`);
      await call(`PATCH /memory/${idOf(number)}`, { json: { content: `Changed note ${number}` } });
    }
    expect((await search('?limit=40')).findings).toEqual([]);
    const findings = [
      { id: idOf(55), kinds: ['GITHUB TOKEN'], excerpt: 'Deploy with [GITHUB TOKEN]', only_in_history: true },
    ];
    expect((await search(`?after=${idOf(40)}`)).findings).toEqual(findings);
    expect((await search()).findings).toEqual(findings);
    await call(`DELETE /memory/${idOf(55)}`);
    expect((await search()).findings).toEqual([]);
  });

  test('continues where the previous page ended, and reads each memory once', async () => {
    const { store, search } = await opened();
    for (const number of [1, 2, 3, 4, 5])
      await store(number, number % 2 === 0 ? `Note ${number}` : `Key ${number}: ${TOKEN}`);
    const found: string[] = [];
    let after = '';
    const sizes: number[] = [];
    do {
      const { findings, scanned, next } = await search(`?limit=2${after}`);
      found.push(...findings.map(({ id }: { id: string }) => id));
      sizes.push(scanned);
      after = next === null ? '' : `&after=${next}`;
    } while (after !== '');
    expect(found).toEqual([idOf(1), idOf(3), idOf(5)]);
    expect(sizes).toEqual([2, 2, 1]);
  });

  test('finds a secret that crosses the boundary between two pieces of a long text', async () => {
    const { store, search } = await opened();
    await store(1, `${'word '.repeat(1_996)}${TOKEN} ${'word '.repeat(2_000)}`);
    expect((await search()).findings).toMatchObject([{ id: idOf(1), kinds: ['GITHUB TOKEN'] }]);
  });

  test.each([
    ['limit=many', 'limit'],
    ['after=here', 'after'],
  ])('refuses %s and names the field', async (query, field) => {
    const { call } = await opened();
    const { status, body } = await call(`GET /analyze/credentials?${query}`);
    expect([status, body.details ?? body.message]).toEqual([400, expect.stringContaining(field)]);
  });

  test('finds each of many former versions once, in one page and in many pages', async () => {
    const { call, store, search } = await opened();
    const edited: string[] = [];
    for (let number = 1; number <= 120; number++) {
      // The first 60 memories get no history. A search therefore reads the first histories long before their memories.
      if (number > 60) edited.push(idOf(number));
      await store(number, number > 60 ? `Token ${TOKEN}` : `Note ${number}`);
    }
    for (const id of edited) await call(`PATCH /memory/${id}`, { json: { content: `Cleaned ${id}` } });
    const found = ({ findings }: { findings: { id: string; only_in_history: boolean }[] }) =>
      findings.filter(({ only_in_history }) => only_in_history).map(({ id }) => id);
    expect(found(await search())).toEqual(edited);
    const paged: string[] = [];
    for (let after = ''; ; ) {
      const page = await search(`?limit=7${after && `&after=${after}`}`);
      paged.push(...found(page));
      if (page.next === null) break;
      after = page.next;
    }
    expect(paged).toEqual(edited);
  });
});
