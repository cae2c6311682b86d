/** The lists of the review page, in a real browser, with the real binary behind it. */
import { expect, test } from 'vitest';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { describeInBrowser, restOf } from './browser.js';

const TIMEOUT_MS = 120_000;
/** The token is written in two parts, so that scanners of repositories do not take it for a real token. */
const TOKEN = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`;
const WORK = { timeout: 20_000 };

const COPIES = [
  { content: 'Anna Kowalski leads the payments team of the shop and approves every refund.', timestamp: '2026-02-01' },
  { content: 'Anna Kowalski leads the payments team of the shop and approves every refund!', timestamp: '2026-03-01' },
];
const CORRECTION = [
  { content: 'The certificate of the shop is renewed every 90 days by the billing server.', timestamp: '2026-02-01' },
  { content: 'The certificate of the shop is renewed every 30 days by the billing server.', timestamp: '2026-03-01' },
];

async function startService(memories: readonly object[]) {
  const { url } = await spawnServe(await temporaryFolder());
  const rest = restOf(url);
  for (const memory of memories) await rest.send('POST /memory', memory);
  await expect.poll(async () => (await rest.send('GET /enrichment/status')).queue_size, WORK).toBe(0);
  return { url, rest };
}

describeInBrowser('the review page', open => {
  test('lists duplicates and memories that may be out of date separately, each list with its count', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { url, rest } = await startService([...COPIES, ...CORRECTION]);
    await rest.send('POST /consolidate', { mode: 'cluster', dry_run: false });
    const { page, misdeeds, axe } = await open(url, {}, '/#/review');
    await page.getByRole('heading', { name: 'Duplicates (1)' }).waitFor();
    const outdated = page.getByRole('heading', { name: 'May be out of date (1)' });
    await outdated.waitFor();
    expect(await axe()).toEqual([]);
    await page.locator('.proposal', { hasText: 'certificate' }).getByRole('button', { name: 'Dismiss' }).click();
    await outdated.waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { name: 'Duplicates (1)' }).count()).toBe(1);
    expect(misdeeds).toEqual({ errors: [], foreign: [] });
  });

  test('finds credentials, and shows the words before a secret but not the secret', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const secret = { content: `<img src=x onerror=alert(1)> Deploy with the token ${TOKEN} on Tuesdays.` };
    const { url, rest } = await startService([secret, ...CORRECTION]);
    const { page, misdeeds, axe } = await open(url, {}, '/#/review');
    await page.getByRole('button', { name: 'Look for credentials' }).click();
    await page.getByText('3 memories read, which are all').waitFor();
    await page.getByRole('heading', { name: 'Credentials found (1)' }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain(TOKEN.slice(4, 12));
    expect(await axe()).toEqual([]);
    await page.getByRole('link', { name: '<img src=x onerror=alert(1)> Deploy with the token [GITHUB TOKEN]' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted.').waitFor();
    expect((await rest.send('GET /analyze/credentials')).findings).toEqual([]);
    expect(misdeeds).toEqual({ errors: [], foreign: [] });
  });
});
