/**
 * The web page in a real browser: its size, its first paint, and how long it takes from a keystroke to the results.
 *
 *   npm run build && node tests/bench/page.mjs [--memories 10000] [--starts 10] [--queries 40] [--chromium PATH]
 *
 * Needs Debian's package chromium. The latency is the time from the last letter of a question to the drawn answer,
 * including the 120 ms that the page waits for the next letter. The timeline is measured with five hundred memories
 * loaded.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { makeMemories, makeQueries } from './corpus.mjs';
import { openClient, post, settled, startService } from './service.mjs';
import { percentile } from './speed/statistics.mjs';

const { values: flags } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000' },
    starts: { type: 'string', default: '10' },
    queries: { type: 'string', default: '40' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const out = line => process.stdout.write(`${line}\n`);
const count = Number(flags.memories);
const BATCH = 500;
const memories = makeMemories(count);

/** Runs in the page: types a question, and waits until the drawn results change. */
const TYPE = `async question => {
  const field = document.querySelector('#query');
  const shown = () => document.querySelector('.results')?.textContent;
  const before = shown();
  const drawn = new Promise(resolve => {
    new MutationObserver((_, observer) => {
      if (shown() === before) return;
      observer.disconnect();
      requestAnimationFrame(() => resolve(performance.now()));
    }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true });
  });
  field.value = question;
  const startedMs = performance.now();
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return (await drawn) - startedMs;
}`;

const SLIDE = `async share => {
  const slider = document.querySelector('input[type=range]');
  const startedMs = performance.now();
  slider.value = String(Math.round(share * Number(slider.max)));
  slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return performance.now() - startedMs;
}`;

showSizes();
const folder = mkdtempSync(join(tmpdir(), 'engraph-page-'));
const { base, stop } = await startService(folder);
const browser = await chromium.launch({ executablePath: flags.chromium, args: ['--no-sandbox'] });
try {
  await fill();
  await measureStarts();
  await measureSearch();
  await measureTimeline();
} finally {
  await browser.close();
  await stop();
  rmSync(folder, { recursive: true, force: true });
}

function showSizes() {
  for (const file of ['index.html', 'page.js', 'page.css', 'view.html']) {
    const bytes = readFileSync(fileURLToPath(new URL(`../../dist/web/${file}`, import.meta.url)));
    out(`${file}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped`);
  }
}

async function fill() {
  const client = openClient(base);
  for (let start = 0; start < count; start += BATCH) {
    await post(client, '/memory/batch', { memories: memories.slice(start, start + BATCH) });
  }
  out(`${count} memories`);
  await settled(client);
}

/** Each start uses a new browser context, which has cached nothing of the page. */
async function measureStarts() {
  const paints = [];
  const lists = [];
  for (let start = 0; start < Number(flags.starts); start++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(base.href);
    await page.locator('.result').first().waitFor();
    lists.push(await page.evaluate('performance.now()'));
    paints.push(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`));
    await context.close();
  }
  report('first contentful paint', paints);
  report('first memories on the page', lists);
}

async function measureSearch() {
  const page = await browser.newPage();
  await page.goto(base.href);
  await page.locator('.result').first().waitFor();
  const latencies = [];
  for (const query of makeQueries(memories, Number(flags.queries))) {
    latencies.push(await page.evaluate(`(${TYPE})(${JSON.stringify(query)})`));
  }
  report('from the last letter to the results', latencies);
  await page.close();
}

async function measureTimeline() {
  const page = await browser.newPage();
  await page.goto(`${base.href}#/timeline`);
  for (let loaded = 100; loaded < 500; loaded += 100) {
    await page
      .locator('.chain')
      .nth(loaded - 10)
      .waitFor();
    await page.getByRole('button', { name: 'Load earlier' }).click();
  }
  await page.locator('.chain').nth(450).waitFor();
  const frames = [];
  for (let step = 0; step < 40; step++) frames.push(await page.evaluate(`(${SLIDE})(${((step * 7) % 40) / 40})`));
  report('a step of the slider over five hundred memories', frames);
  await page.close();
}

function report(name, valuesMs) {
  out(
    `${name}: median ${percentile(valuesMs, 0.5).toFixed(0)} ms, 95th percentile ${percentile(valuesMs, 0.95).toFixed(0)} ms`,
  );
}
