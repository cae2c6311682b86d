/** Opens the web page in a real browser, and records everything that the page does although it must not. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const COMMAND = 'chromium';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Runs the rules of WCAG 2.2 up to level AA, and the best practices of axe. */
const AXE_RUN = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`;

function pathOfChromium(): string | undefined {
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${COMMAND}`], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Everything that a page has done although it must not. */
export interface Misdeeds {
  /** Errors and warnings on the console, uncaught errors, and dialogs. */
  errors: string[];
  /** Requests to other servers than the service. */
  foreign: string[];
}

export interface OpenedPage {
  page: Page;
  misdeeds: Misdeeds;
  /** Runs axe on the page in its current state. Returns each violation with its element. */
  axe(): Promise<string[]>;
}

/** @param path below the address of the service */
export type OpenPage = (url: string, options?: BrowserContextOptions, path?: string) => Promise<OpenedPage>;

/** Runs tests with one browser. Without a browser they are skipped, but under CI one failing test replaces them. */
export function describeInBrowser(name: string, body: (open: OpenPage) => void): void {
  const path = pathOfChromium();
  if (path === undefined && process.env.CI) {
    test(`${name}: ${COMMAND} is installed`, () => expect(path).toBeDefined());
    return;
  }
  describe.skipIf(path === undefined)(path === undefined ? `${name} (${COMMAND} is not installed)` : name, () => {
    let browser: Browser;
    beforeAll(async () => {
      // The sandbox of Chromium does not start for root, and containers run as root.
      browser = await chromium.launch({ executablePath: path as string, args: ['--no-sandbox'] });
    }, 60_000);
    afterAll(async () => browser?.close());
    body(async (url, options, path = '/') => {
      const opened = await preparePage(browser, url, options);
      await opened.page.goto(`${url}${path}`);
      return opened;
    });
  });
}

async function preparePage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const settings: BrowserContextOptions = { locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options };
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...settings });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const misdeeds: Misdeeds = { errors: [], foreign: [] };
  page.on('console', message => {
    // The console also reports violations of the content security policy as errors.
    if (['error', 'warning'].includes(message.type())) misdeeds.errors.push(message.text());
  });
  page.on('pageerror', error => misdeeds.errors.push(String(error)));
  page.on('dialog', dialog => {
    misdeeds.errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', request => {
    const target = request.url();
    if (!target.startsWith(`${url}/`) && !target.startsWith('data:')) misdeeds.foreign.push(target);
  });
  page.setDefaultTimeout(20_000);
  return { page, misdeeds, axe: () => findingsOfAxe(page) };
}

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** @param page a page, or a frame of it */
export async function findingsOfAxe(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(AXE_RUN);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

export interface RestClient {
  /** @returns the body of the answer, with any status */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  send(route: string, json?: unknown): Promise<Record<string, any>>;
}

/** @param headers added to every request, such as tokens */
export function restOf(url: string, headers: Record<string, string> = {}): RestClient {
  return {
    send: async (route, json) => {
      const [method = 'GET', path = '/'] = route.split(' ');
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
      return (await response.json()) as Record<string, any>;
    },
  };
}
