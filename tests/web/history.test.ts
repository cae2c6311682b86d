/** The page of a memory: its keys and its history, in a real browser, with the real binary behind it. */
import { expect, test } from 'vitest';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { describeInBrowser, restOf } from './browser.js';

/** Enough time to start a browser and the binary on a busy machine. */
const TIMEOUT_MS = 120_000;
const MEMORY = {
  content: 'We chose PostgreSQL as the database of the shop because we need transactions.',
  importance: 0.9,
  tags: ['project:shop', 'database'],
};

/** Presses "e" before the browser draws the memory. A person cannot press it that early. */
const PRESS_AT_ONCE = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.whole')) return;
  observer.disconnect();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true, cancelable: true }));
}).observe(document, { childList: true, subtree: true })`;

describeInBrowser('the page of a memory', open => {
  test('reacts to a key that is pressed as soon as the memory appears', { timeout: TIMEOUT_MS }, async () => {
    const { url } = await spawnServe(await temporaryFolder());
    const { memory_id: id } = await restOf(url).send('POST /memory', MEMORY);
    const { page } = await open(url);
    await page.addInitScript(PRESS_AT_ONCE);
    await page.goto(`${url}/?again#/memory/${id}`);
    await page.getByLabel('Content').waitFor();
  });

  test('lists the edits of the memory, and takes back the last edit', { timeout: TIMEOUT_MS }, async () => {
    const { url } = await spawnServe(await temporaryFolder());
    const rest = restOf(url);
    const { memory_id: id } = await rest.send('POST /memory', MEMORY);
    await rest.send(`PATCH /memory/${id}`, { importance: 0.4, tags: ['database'] });
    const opened = await open(url, {}, `/#/memory/${id}`);
    const { page, axe } = opened;
    const requests: string[] = [];
    page.on('request', request => requests.push(request.url()));
    await page.locator('.whole', { hasText: 'PostgreSQL' }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Content').fill(MEMORY.content.replace('PostgreSQL', 'MariaDB'));
    await page.keyboard.press('Control+Enter');
    await page.locator('.whole', { hasText: 'MariaDB' }).waitFor();
    expect(requests.filter(request => request.endsWith('/history'))).toEqual([]);
    await page.getByText('What it was before its last edits').focus();
    await page.keyboard.press('Enter');
    const versions = page.locator('.versions > li');
    await versions.nth(1).waitFor();
    expect(await versions.count()).toBe(2);
    expect(await versions.first().locator('del').textContent()).toBe('PostgreSQL');
    expect(await versions.first().locator('ins').textContent()).toBe('MariaDB');
    await versions.nth(1).getByText('project:shop, database').waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Take this edit back' }).click();
    await page.locator('.whole', { hasText: 'PostgreSQL' }).waitFor();
    await versions.nth(2).waitFor();
    expect(await rest.send(`GET /memory/${id}`)).toMatchObject({ content: MEMORY.content, importance: 0.4 });
    expect(opened.misdeeds).toEqual({ errors: [], foreign: [] });
  });
});
