/** Uses the web page as a person does, in a real browser and with the real binary as the service. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { describeInBrowser, type OpenedPage, restOf } from './browser.js';

/** Long enough to start a browser, and the binary several times, on a busy machine. */
const TIMEOUT_MS = 120_000;
/** Time limit for work in the background. */
const WAIT = { timeout: 20_000 };
const ADMIN = 'adm1n';
const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));

const DATABASE = {
  content: 'We chose PostgreSQL as the database of the shop because we need transactions.',
  type: 'Decision',
  importance: 0.9,
  tags: ['project:shop', 'database'],
  timestamp: '2026-01-10T10:00:00Z',
};
const COPIES = [
  { content: 'Anna Kowalski leads the payments team of the shop and approves every refund.', timestamp: '2026-02-01' },
  { content: 'Anna Kowalski leads the payments team of the shop and approves every refund!', timestamp: '2026-03-01' },
];
const OTHERS = [
  {
    content: 'Ann prefers short answers with code.',
    type: 'Preference',
    tags: ['people:ann'],
    timestamp: '2026-02-10',
  },
  { content: 'The summer sale runs until the end of June.', timestamp: '2026-05-20', t_invalid: '2026-07-01' },
  { content: 'Deploys of the shop run every Tuesday.', tags: ['project:shop:ops'], timestamp: '2026-03-17' },
];

/** Saves a screenshot for the documents, if `npm run build:screenshots` runs the test. */
async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.UPDATE_SCREENSHOTS) return;
  mkdirSync(DOCS, { recursive: true });
  await page.evaluate('document.activeElement?.blur()');
  await page.screenshot({ path: `${DOCS}page-${name}.png`, animations: 'disabled' });
}

async function startService(environment: Record<string, string> = {}) {
  const { url } = await spawnServe(await temporaryFolder(), environment);
  const token = environment.SERVICE_API_TOKEN;
  const rest = restOf(url, { 'x-admin-token': ADMIN, ...(token !== undefined && { 'x-api-key': token }) });
  return { url, rest };
}

function expectInnocent({ misdeeds }: OpenedPage): void {
  expect(misdeeds).toEqual({ errors: [], foreign: [] });
}

async function goTo(page: Page, view: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: view }).click();
}

describeInBrowser('the web page', open => {
  test('shows memories stored over REST, and finds them while the person types', { timeout: TIMEOUT_MS }, async () => {
    const { url, rest } = await startService();
    const opened = await open(url);
    const { page, axe } = opened;
    await page.getByText('Nothing is remembered yet').waitFor();
    expect(await axe()).toEqual([]);
    await rest.send('POST /memory', DATABASE);
    for (const memory of OTHERS) await rest.send('POST /memory', memory);
    await page.keyboard.press('r');
    await page.locator('.result').nth(2).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('which database for the shop');
    await page.getByText('confidence').waitFor();
    const first = page.locator('.result').first();
    await first.getByText('PostgreSQL as the database').waitFor();
    expect(await first.locator('.why').textContent()).toMatch(/^Found by .*its words.*; it has the words .*shop/);
    const widths = await first
      .locator('.score > svg rect')
      .evaluateAll(rects => rects.map(rect => Number(rect.getAttribute('width'))));
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(100, 0);
    expect(await axe()).toEqual([]);
    await shoot(page, 'search');
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Without tags').fill('project:shop');
    await expect.poll(() => page.locator('.result').filter({ hasText: 'PostgreSQL' }).count()).toBe(0);
    expect(page.url()).toContain('exclude_tags=project');
    expect(await axe()).toEqual([]);
    expectInnocent(opened);
  });

  test('says why a memory is missing from the results', { timeout: TIMEOUT_MS }, async () => {
    const { url, rest } = await startService();
    const { memory_id: id } = await rest.send('POST /memory', DATABASE);
    const opened = await open(`${url}`);
    const { page } = opened;
    await page.goto(`${url}/#/search?query=database&exclude_tags=project`);
    // Until the search with the filter is answered, the page asks about the search before it, and may move under the mouse.
    await page.getByText('Nothing was found').waitFor();
    await page.getByText('Is a memory missing?').click();
    await page.getByLabel('Id of the memory').fill(String(id));
    await page.getByRole('button', { name: 'Why is it not here?' }).click();
    await page.getByText('It has a tag that exclude_tags excludes.').waitFor();
    expectInnocent(opened);
  });

  test('edits, replaces and deletes a memory, and undoes each change', { timeout: TIMEOUT_MS }, async () => {
    const { url, rest } = await startService();
    const { memory_id: id } = await rest.send('POST /memory', DATABASE);
    const { memory_id: other } = await rest.send('POST /memory', OTHERS[2]);
    await rest.send('POST /associate', { memory1_id: id, memory2_id: other, type: 'LEADS_TO', strength: 0.7 });
    const opened = await open(url);
    const { page, axe } = opened;
    const undo = () => page.getByRole('button', { name: 'Undo', exact: true }).click();

    await page.getByRole('link', { name: DATABASE.content }).click();
    await page.getByRole('heading', { name: /Relations/ }).waitFor();
    expect(await axe()).toEqual([]);
    await page.keyboard.press('e');
    await page.getByLabel('Content').fill('We chose MariaDB as the database of the shop.');
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.whole', { hasText: 'MariaDB' }).waitFor();
    expect(await rest.send(`GET /memory/${id}`)).toMatchObject({ content: expect.stringContaining('MariaDB') });
    await undo();
    await page.locator('.whole', { hasText: 'PostgreSQL' }).waitFor();

    const before = await rest.send(`GET /memory/${id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted.').waitFor();
    expect(await rest.send(`GET /memory/${id}`)).toMatchObject({ code: 404 });
    // If the undo fails, it can be repeated.
    const refusal = { status: 'error', code: 400, error: 'Not now', message: 'Not now' };
    await page.route('**/memory', route => route.fulfill({ status: 400, json: refusal }), { times: 1 });
    await undo();
    await page.getByText('Not now').waitFor();
    expect(opened.misdeeds.errors.splice(0)).toEqual([expect.stringContaining('400')]);
    await undo();
    await page.locator('.whole', { hasText: 'PostgreSQL' }).waitFor();
    const { content, type, importance, tags, timestamp } = before;
    const restored = await rest.send(`GET /memory/${id}`);
    expect(restored).toMatchObject({ content, type, importance, tags, timestamp });
    expect(restored.relations).toContainEqual(
      expect.objectContaining({ type: 'LEADS_TO', direction: 'outgoing', strength: 0.7 }),
    );

    await page.getByRole('button', { name: 'Replace' }).click();
    await page.getByLabel('New content').fill('The shop moves from PostgreSQL to CockroachDB.');
    await page.getByLabel('Reason').fill('Two data centres');
    await page.getByRole('button', { name: 'Replace' }).last().click();
    await page.getByRole('link', { name: 'replaces an older memory' }).waitFor();
    await shoot(page, 'memory');
    expect((await rest.send('GET /recall?query=database+shop')).results).toHaveLength(2);
    await undo();
    await page.locator('.whole', { hasText: 'We chose PostgreSQL' }).waitFor();
    await page.getByText('Taken back.').waitFor();
    expect((await rest.send(`GET /memory/${id}`)).metadata).not.toHaveProperty('superseded_by');
    expectInnocent(opened);
  });

  test('says when a memory was given to an assistant, and why', { timeout: TIMEOUT_MS }, async () => {
    const { url, rest } = await startService();
    const { memory_id: id } = await rest.send('POST /memory', DATABASE);
    await rest.send('POST /hooks/session-start', { session_id: 'first', cwd: '/home/ann/shop' });
    const opened = await open(url, {}, `/#/memory/${id}`);
    await opened.page.locator('.uses li', { hasText: 'it belongs to the project' }).waitFor();
    expect(await opened.axe()).toEqual([]);
    expectInnocent(opened);
  });

  test('shows which memories were believed at an instant', { timeout: TIMEOUT_MS }, async () => {
    const { url, rest } = await startService();
    const { memory_id: id } = await rest.send('POST /memory', DATABASE);
    const successor = { content: 'The shop moved from PostgreSQL to CockroachDB.', timestamp: '2026-05-04T10:00:00Z' };
    await rest.send('POST /memory', { ...successor, supersedes_memory_id: id });
    for (const memory of OTHERS) await rest.send('POST /memory', memory);
    const opened = await open(url);
    const { page, axe } = opened;
    await goTo(page, 'Timeline');
    const chain = page.locator('.chain', { hasText: /PostgreSQL/ });
    await chain.getByRole('link', { name: 'moved from PostgreSQL' }).waitFor();
    expect(await page.locator('.chain').count()).toBe(4);
    expect(await axe()).toEqual([]);

    await page.getByLabel('As of').first().fill('2026-05-03T12:00');
    await chain.getByRole('link', { name: 'We chose PostgreSQL' }).waitFor();
    await page.getByText(/On 3 May 2026.* the assistant believed 3 of these 5 memories/).waitFor();
    expect(await axe()).toEqual([]);
    await shoot(page, 'timeline');
    await page.getByRole('slider', { name: 'As of' }).focus();
    await page.keyboard.press(']');
    await page.getByText(/On 4 May 2026.* the assistant believed 3 of these 5 memories/).waitFor();

    const slider = page.getByRole('slider', { name: 'As of' });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByText(/On 10 Jan 2026.* the assistant believed 1 of these 5 memories/).waitFor();
    await page.getByLabel('Show only these').check();
    expect(await page.locator('.chain').count()).toBe(1);
    expectInnocent(opened);
  });

  test('accepts a proposal, undoes the acceptance, and undoes a run', { timeout: TIMEOUT_MS }, async () => {
    const { url, rest } = await startService({ ADMIN_API_TOKEN: ADMIN });
    for (const memory of [...COPIES, ...OTHERS]) await rest.send('POST /memory', memory);
    await expect.poll(async () => (await rest.send('GET /enrichment/status')).queue_size, WAIT).toBe(0);
    await rest.send('POST /consolidate', { mode: 'cluster', dry_run: false });
    const opened = await open(url);
    const { page, axe } = opened;
    await goTo(page, 'Review');
    const accept = page.getByRole('button', { name: 'Accept' });
    await accept.waitFor();
    await page.getByRole('heading', { name: 'Duplicates (1)' }).waitFor();
    expect(await page.locator('.diff del').textContent()).toContain('refund.');
    expect(await page.locator('.diff ins').textContent()).toContain('refund!');
    expect(await axe()).toEqual([]);
    await shoot(page, 'review');
    await accept.click();
    await page.getByText('Nothing waits for an answer').waitFor();
    expect((await rest.send('GET /consolidate/proposals')).proposals).toEqual([]);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await accept.waitFor();

    const run = page.locator('.runs > li', { hasText: 'Grouping' });
    await run.locator('summary').click();
    await run.locator('.changes li').first().waitFor();
    await run.getByRole('button', { name: 'Undo this run' }).click();
    const field = page.getByRole('textbox', { name: 'Admin token' });
    await field.fill('wrong');
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Admin authorization required').waitFor();
    expect(opened.misdeeds.errors.splice(0)).toEqual([expect.stringContaining('401')]);
    await run.getByRole('button', { name: 'Undo this run' }).click();
    await field.fill(ADMIN);
    await page.keyboard.press('Enter');
    await page.getByText(/changes were taken back/).waitFor();
    await run.getByText('taken back').waitFor();
    await page.getByText('Nothing waits for an answer').waitFor();
    const { history } = await rest.send('GET /consolidate/status');
    expect(history).toContainEqual(expect.objectContaining({ task: 'cluster', undone_at: expect.anything() }));
    expectInnocent(opened);
  });

  test('shows the state of the service, with figures over time', { timeout: TIMEOUT_MS }, async () => {
    const { url, rest } = await startService();
    await rest.send('POST /memory', DATABASE);
    const opened = await open(url);
    const { page, axe } = opened;
    await page.locator('body').press('4');
    await page.getByRole('img', { name: /^Memories: now 1/ }).waitFor();
    await page.getByText('hash', { exact: false }).first().waitFor();
    expect(await axe()).toEqual([]);
    // The page shows the rate of a counter only after the page has read the counter twice.
    await page.getByRole('img', { name: /^Requests: now/ }).waitFor();
    await shoot(page, 'state');
    await page.getByRole('button', { name: 'Run the checks' }).click();
    await page.getByText('the probe was deleted and is gone').waitFor();
    expect(await page.locator('.checks .badge').allTextContents()).toEqual(Array(5).fill('works'));
    expect(await axe()).toEqual([]);
    expectInnocent(opened);
  });
});

describeInBrowser('the web page asks for a token', open => {
  test('once per tab, and reports a token that the service refuses', { timeout: TIMEOUT_MS }, async () => {
    const { url, rest } = await startService({ SERVICE_API_TOKEN: 's3cret' });
    await rest.send('POST /memory', DATABASE);
    const { page, misdeeds, axe } = await open(url);
    const field = page.getByLabel('API token');
    await field.waitFor();
    expect(await axe()).toEqual([]);
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The service refused this token.').waitFor();
    // The browser reports every 401 on its console.
    expect(misdeeds.errors.filter(error => !error.includes('401'))).toEqual([]);
    await field.fill('s3cret');
    await page.keyboard.press('Enter');
    await page.locator('.result').waitFor();
    await page.reload();
    await page.locator('.result').waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(page.url()).not.toContain('s3cret');
  });
});

describeInBrowser('a code in a link', open => {
  test('opens the page without asking for the token, and disappears from the address', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { url, rest } = await startService({ SERVICE_API_TOKEN: 's3cret' });
    await rest.send('POST /memory', DATABASE);
    const { code } = await rest.send('POST /web/codes');
    const opened = await open(url, {}, `/#code=${code}`);
    await opened.page.locator('.result').waitFor();
    expect(opened.page.url()).not.toContain(code);
    expectInnocent(opened);
  });
});

describeInBrowser('the web page in other settings', open => {
  test('shows no button that changes a memory when the service is read-only', { timeout: TIMEOUT_MS }, async () => {
    const folder = await temporaryFolder();
    const writer = await spawnServe(folder);
    const { memory_id: id } = await restOf(writer.url).send('POST /memory', DATABASE);
    await restOf(writer.url).send(`PATCH /memory/${id}`, { importance: 0.4 });
    writer.child.kill('SIGTERM');
    await writer.ended;
    const { url } = await spawnServe(folder, { ENGRAPH_READ_ONLY: 'true' });
    const opened = await open(url);
    await opened.page.goto(`${url}/#/memory/${id}`);
    await opened.page.getByText('read-only').waitFor();
    await opened.page.getByText('What it was before its last edits').click();
    await opened.page.locator('.versions > li').waitFor();
    expect(await opened.page.getByRole('button', { name: /Edit|Replace|Delete|Take/ }).count()).toBe(0);
    await opened.page.locator('body').press('e');
    expect(await opened.page.getByLabel('Content').count()).toBe(0);
    expectInnocent(opened);
  });

  describe.each([
    ['light, 320 pixels wide', { colorScheme: 'light', viewport: { width: 320, height: 640 } }],
    ['dark, 320 pixels wide', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
    ['dark, wide', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
  ] as const)('%s', (name, options) => {
    test('shows every view without horizontal scrolling, and axe finds no problem', {
      timeout: TIMEOUT_MS,
    }, async () => {
      const { url, rest } = await startService({ ADMIN_API_TOKEN: ADMIN });
      const { memory_id: id } = await rest.send('POST /memory', DATABASE);
      for (const memory of [...COPIES, ...OTHERS]) await rest.send('POST /memory', memory);
      await rest.send('POST /memory', {
        content: 'A_word_without_an_end_'.repeat(20),
        tags: ['a-long-tag-'.repeat(8)],
      });
      await rest.send('POST /consolidate', { mode: 'full', dry_run: false });
      const opened = await open(url, options);
      const { page, axe } = opened;
      const VIEWS: [string, string][] = [
        ['#/search?query=shop', '.result'],
        ['#/timeline', '.chain'],
        [`#/memory/${id}`, '.facts'],
        ['#/review', '.runs > li'],
        ['#/state', '.figure'],
      ];
      for (const [fragment, selector] of VIEWS) {
        await page.goto(`${url}/${fragment}`);
        await page.locator(selector).first().waitFor();
        expect([fragment, await axe()]).toEqual([fragment, []]);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([fragment, overflow]).toEqual([fragment, 0]);
        if (name === 'dark, 320 pixels wide' && fragment === '#/search?query=shop') await shoot(page, 'narrow');
      }
      await page.locator('body').press('?');
      await page.getByRole('dialog').waitFor();
      expect(await axe()).toEqual([]);
      expectInnocent(opened);
    });
  });

  test('works with the keyboard, and can ignore single-key shortcuts', { timeout: TIMEOUT_MS }, async () => {
    const { url, rest } = await startService();
    for (const memory of [DATABASE, ...OTHERS]) await rest.send('POST /memory', memory);
    const opened = await open(url);
    const { page } = opened;
    await page.locator('.result').nth(2).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');
    const contents = await page.locator('.result .content').allTextContents();
    await page.keyboard.press('j');
    expect(await focused()).toBe(contents[0]);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await focused()).toBe(contents[1]);
    await page.keyboard.press('Enter');
    await page.locator('.whole').waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Content').waitFor();
    expect(await page.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA');
    await page.keyboard.press('Escape');
    await page.locator('.whole').waitFor();
    await page.keyboard.press('?');
    await page.getByLabel('Single-key shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('2');
    expect(page.url()).toContain('#/memory/');
    expectInnocent(opened);
  });
});
