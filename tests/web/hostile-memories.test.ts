/** Stores scripts and markup in every field that the page shows, and checks that they stay text. */
import { expect, test } from 'vitest';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { describeInBrowser, type OpenedPage, restOf } from './browser.js';
import { HOSTILE_TEXTS } from './hostile-texts.js';

const TIMEOUT_MS = 240_000;
const ADMIN = 'adm1n';

/** A tag must not contain a comma, and its length is limited. */
const tagOf = (text: string) => text.replaceAll(',', ';').slice(0, 90);

function memoryOf(text: string, index: number) {
  return {
    content: `${index} ${text}`,
    tags: [tagOf(text), 'hostile'],
    metadata: { source: text, [text]: text, nested: { __html: text, dangerouslySetInnerHTML: { __html: text } } },
    // Two searches below show 100 memories each. The times differ, so `end` leaves the latest out of the second search.
    timestamp: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  };
}

/** Counts elements and attributes that the page has only if text of a memory became markup. */
const INTRUDERS =
  'document.querySelectorAll("#page script, img, iframe, object, embed, base, form[action], video, audio, marquee, math, template, style, meta[http-equiv], [onerror], [onload], [onclick], [onfocus], [style], a:not([href^=\'#/\']):not(.skip)").length';

async function expectUnharmed({ page, misdeeds }: OpenedPage, place: string): Promise<void> {
  expect([place, misdeeds]).toEqual([place, { errors: [], foreign: [] }]);
  expect([place, await page.evaluate(INTRUDERS)]).toEqual([place, 0]);
  expect([place, await page.evaluate('typeof window.pwned')]).toEqual([place, 'undefined']);
}

describeInBrowser('memories with scripts in every field', open => {
  test(`stay text: none of ${HOSTILE_TEXTS.length} runs, loads anything or becomes an element`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(200);
    const { url } = await spawnServe(await temporaryFolder(), { ADMIN_API_TOKEN: ADMIN });
    const rest = restOf(url, { 'x-admin-token': ADMIN });
    const memories = HOSTILE_TEXTS.map(memoryOf);
    const { memory_ids: ids } = await rest.send('POST /memory/batch', { memories });
    const [first = '', ...others]: string[] = ids;
    expect(others).toHaveLength(HOSTILE_TEXTS.length - 1);
    // One memory gets sixty relations with hostile reasons to hostile memories.
    const associations = others.slice(0, 60).map((id, index) => ({
      memory1_id: first,
      memory2_id: id,
      type: 'CONTRADICTS',
      reason: HOSTILE_TEXTS[index],
    }));
    await rest.send('POST /associate', { associations });
    for (const prompt of HOSTILE_TEXTS.slice(0, 40)) {
      await rest.send('POST /hooks/prompt', { session_id: prompt.slice(0, 190), cwd: prompt.slice(0, 200), prompt });
    }
    await rest.send('POST /consolidate', { mode: 'full', dry_run: false });

    const opened = await open(url);
    const { page } = opened;
    const visit = async (fragment: string, selector: string) => {
      await page.goto(`${url}/${fragment}`);
      await page.locator(selector).first().waitFor();
      await expectUnharmed(opened, fragment);
    };
    await visit('#/search?tags=hostile&limit=100&state_mode=history', '.result:nth-child(100)');
    await visit('#/search?tags=hostile&limit=100&state_mode=history&end=2026-06-01', '.result:nth-child(100)');
    await visit('#/timeline?tags=hostile', '.chain');
    for (const pages of [2, 3]) {
      await page.getByRole('button', { name: 'Load earlier' }).click();
      await expect.poll(() => page.locator('.chain').count(), { timeout: 20_000 }).toBeGreaterThan((pages - 1) * 90);
    }
    await expectUnharmed(opened, 'all of the timeline');
    await visit('#/review', '.runs > li');
    for (const run of await page.locator('.runs summary').all()) await run.click();
    await expectUnharmed(opened, 'runs');
    await visit('#/state', '.figure');
    for (const id of [first, ...others]) {
      await page.goto(`${url}/#/memory/${id}`);
      await page.locator('.facts code', { hasText: id }).waitFor();
      await expectUnharmed(opened, id);
    }
    await page.goto(`${url}/#/memory/${first}`);
    // Wait for the id, because the memory before may still be shown, and also has the heading "Relations".
    await page.locator('.facts code', { hasText: first }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Content').waitFor();
    await expectUnharmed(opened, 'the form');
    for (const text of HOSTILE_TEXTS) {
      await page.goto(`${url}/#/memory/${encodeURIComponent(text)}`);
      await page.goto(`${url}/#/search?query=${encodeURIComponent(text)}&tags=${encodeURIComponent(tagOf(text))}`);
    }
    await page.locator('#query').waitFor();
    expect(await page.evaluate(INTRUDERS)).toBe(0);
    expect(await page.evaluate('typeof window.pwned')).toBe('undefined');
    // The service refuses invalid ids, and the browser reports these refusals on its console.
    expect(opened.misdeeds.errors.filter(error => !/status of 40[04]/.test(error))).toEqual([]);
    expect(opened.misdeeds.foreign).toEqual([]);
  });
});
