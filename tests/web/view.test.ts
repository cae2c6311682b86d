/** The view of MCP Apps in a real browser, in a sandboxed frame of a small host that speaks the protocol. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { type ConnectedClient, connectClient, RENDERS_VIEWS, structuredOf } from '../mcp/connected-client.js';
import { openTestEngine } from '../support/test-engine.js';
import { describeInBrowser, findingsOfAxe, type OpenedPage, type OpenPage } from './browser.js';
import { HOSTILE_TEXTS } from './hostile-texts.js';

const TIMEOUT_MS = 60_000;

/**
 * The content security policy that the specification of MCP Apps prescribes for a view that declares no domains. The
 * frame inherits the policy from the page.
 */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";

/** Runs in the browser. The frame may run scripts, and nothing else: it cannot even submit a form. */
const HOST_SCRIPT = `
window.startHost = (html, { context, capabilities, input }) => {
  const log = (window.received = []);
  const frame = document.createElement('iframe');
  frame.title = 'view';
  frame.sandbox = 'allow-scripts';
  frame.srcdoc = html;
  frame.style.width = '700px';
  window.toView = message => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  addEventListener('message', async ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    log.push(data);
    const { id, method, params } = data;
    if (method === 'ui/initialize') {
      const hostInfo = { name: 'test', version: '0' };
      toView({ id, result: { protocolVersion: '2026-01-26', hostInfo, hostCapabilities: capabilities, hostContext: context } });
    } else if (method === 'ui/notifications/initialized') {
      toView({ method: 'ui/notifications/tool-input', params: { arguments: input } });
      toView({ method: 'ui/notifications/tool-result', params: await callTool('recall_memory', input) });
    } else if (method === 'ui/notifications/size-changed') {
      frame.style.height = params.height + 'px';
    } else if (method === 'tools/call') {
      toView({ id, result: await callTool(params.name, params.arguments) });
    } else if (id !== undefined && method !== undefined) {
      toView({ id, result: {} });
    }
  });
  document.body.append(frame);
};`;

interface HostOptions {
  context?: object;
  capabilities?: object;
  /** The arguments of the call that opens the view. */
  input: Record<string, unknown>;
}

interface HostedView {
  page: Page;
  view: Frame;
  opened: OpenedPage;
  /** Returns the messages that the view has sent to the host. */
  received(): Promise<{ method?: string; params?: Record<string, unknown>; result?: unknown; id?: unknown }[]>;
}

async function hostPage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY });
    response.end(
      '<!doctype html><html lang="en"><title>host</title><link rel="icon" href="data:,"><body></body></html>',
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connectHost(options: { isReadOnly?: boolean } = {}) {
  const memory = await openTestEngine();
  const connected = await connectClient(memory.engine, { capabilities: RENDERS_VIEWS, ...options });
  onTestFinished(async () => {
    await connected.close();
    await memory.close();
  });
  return { ...connected, engine: memory.engine };
}

async function showView(open: OpenPage, connected: ConnectedClient, options: HostOptions): Promise<HostedView> {
  const { contents } = await connected.client.readResource({ uri: 'ui://engraph/view' });
  const { text: htmlText } = contents[0] as { text: string };
  const opened = await open(await hostPage());
  const { page } = opened;
  await page.exposeFunction('callTool', (name: string, args: Record<string, unknown>) => connected.call(name, args));
  await page.evaluate(HOST_SCRIPT);
  const { context = {}, capabilities = { serverTools: {} }, input } = options;
  await page.evaluate(
    ([html, given]) => (globalThis as unknown as { startHost: (...args: unknown[]) => void }).startHost(html, given),
    [htmlText, { context, capabilities, input }] as const,
  );
  await page.frameLocator('iframe').locator('main').waitFor();
  const view = page.frames()[1] as Frame;
  const received = () => page.evaluate('window.received') as ReturnType<HostedView['received']>;
  return { page, view, opened, received };
}

/**
 * Waits until the host has given the frame the height of the view. A resize can move a link between press and release,
 * and the link then gets no click.
 */
async function fitsFrame(page: Page, view: Frame): Promise<void> {
  const given = () => page.evaluate<number>("Number.parseInt(document.querySelector('iframe').style.height)");
  const needed = () =>
    view.evaluate<number>("Math.ceil(document.getElementById('view').getBoundingClientRect().height)");
  await expect.poll(async () => (await given()) - (await needed())).toBe(0);
}

const HERON = { content: 'The heron nests on the chimney.', tags: ['birds:heron'], importance: 0.8 };
const POND = { content: 'The pond behind the house freezes in January.', tags: ['garden'] };

async function storeBoth({ call }: ConnectedClient): Promise<{ heron: string; pond: string }> {
  const [heron, pond] = [
    structuredOf<{ memory_id: string }>(await call('store_memory', HERON)).memory_id,
    structuredOf<{ memory_id: string }>(await call('store_memory', POND)).memory_id,
  ];
  await call('associate_memories', { memory1_id: heron, memory2_id: pond, type: 'RELATES_TO', strength: 0.9 });
  return { heron, pond };
}

describeInBrowser('the view in a conversation', open => {
  test('shows the result of the call, searches further, and opens a memory', { timeout: TIMEOUT_MS }, async () => {
    const host = await connectHost();
    const { pond } = await storeBoth(host);
    const { view, opened, received } = await showView(open, host, { input: { query: 'heron' } });
    await view.locator('.result', { hasText: HERON.content }).waitFor();
    expect(await view.getByLabel('Question').inputValue()).toBe('heron');

    await view.getByLabel('Question').fill('When does the pond freeze?');
    await view.getByLabel('Question').press('Enter');
    await view.locator('.result', { hasText: POND.content }).locator('.score > svg').waitFor();
    expect(await findingsOfAxe(view)).toEqual([]);
    await view.locator('.result', { hasText: POND.content }).locator('a.content').click();
    await view.getByRole('heading', { name: 'Relations (1)' }).waitFor();
    await view.locator('.facts code', { hasText: pond }).waitFor();
    expect(await findingsOfAxe(view)).toEqual([]);
    await view.getByRole('link', { name: HERON.content }).click();
    await view.locator('.whole', { hasText: HERON.content }).waitFor();
    await view.getByRole('link', { name: 'birds:heron' }).click();
    await expect.poll(() => view.locator('.result').count()).toBe(1);

    const messages = await received();
    const calls = messages.filter(({ method }) => method === 'tools/call').map(({ params }) => params?.arguments);
    expect(calls).toEqual([
      { query: 'When does the pond freeze?', limit: 20, explain: true },
      { memory_id: pond },
      { memory_id: expect.any(String) },
      { tags: ['birds:heron'], limit: 20, explain: true },
    ]);
    expect(messages.map(({ method }) => method).slice(0, 2)).toContain('ui/initialize');
    expect(messages.filter(({ method }) => method === 'ui/update-model-context')).toHaveLength(2);
    expect(opened.misdeeds).toEqual({ errors: [], foreign: [] });
  });

  test('corrects and deletes a memory through the host', { timeout: TIMEOUT_MS }, async () => {
    const host = await connectHost();
    const { heron } = await storeBoth(host);
    const { view, opened } = await showView(open, host, { input: { memory_id: heron } });
    await view.getByRole('button', { name: 'Edit' }).click();
    await view.getByLabel('Content').fill('The heron nests in the willow.');
    await view.getByRole('button', { name: 'Save' }).click();
    await view.locator('.whole', { hasText: 'willow' }).waitFor();
    expect(await host.engine.get(heron)).toMatchObject({ memory: { content: 'The heron nests in the willow.' } });
    await view.getByRole('button', { name: 'Edit' }).click();
    await view.getByLabel('Content').fill('x'.repeat(2500));
    await view.getByRole('button', { name: 'Save' }).click();
    await view.getByText(/2,?500/).waitFor();
    await view.getByRole('button', { name: 'Cancel' }).click();
    await view.getByRole('button', { name: 'Delete' }).click();
    await view.getByRole('button', { name: 'Delete' }).click();
    await view.getByText('Deleted.').waitFor();
    await expect(host.engine.get(heron)).rejects.toMatchObject({ code: 'not_found' });
    expect(opened.misdeeds).toEqual({ errors: [], foreign: [] });
  });

  test('has no search field if the host forwards no calls, and no button for changes if the server is read-only', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const writer = await connectHost();
    const { heron } = await storeBoth(writer);
    const silent = await showView(open, writer, { capabilities: {}, input: { query: 'heron' } });
    await silent.view.locator('a.content', { hasText: HERON.content }).click();
    await silent.view.getByRole('button', { name: 'Back to the results' }).waitFor();
    expect(await silent.view.getByRole('searchbox').count()).toBe(0);
    const reader = await connectClient(writer.engine, { capabilities: RENDERS_VIEWS, isReadOnly: true });
    onTestFinished(() => reader.close());
    const { view } = await showView(open, reader, { input: { memory_id: heron } });
    await view.getByRole('heading', { name: 'Relations (1)' }).waitFor();
    expect(await view.getByRole('button').allTextContents()).toEqual(['Search']);
  });

  test('uses the theme and the colours of the host, reports the height of the view, and answers requests of the host', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const host = await connectHost();
    await storeBoth(host);
    const context = { theme: 'dark', styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } } };
    const { page, view, opened, received } = await showView(open, host, { context, input: { query: 'heron' } });
    await view.locator('.result').first().waitFor();
    const styleOf = () =>
      view.evaluate('(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.body))');
    await expect.poll(styleOf).toEqual(['rgb(20, 23, 27)', 'rgb(1, 2, 3)']);
    await page.evaluate(`toView({ method: 'ui/notifications/host-context-changed', params: { theme: 'light' } })`);
    await expect.poll(styleOf).toEqual(['rgb(255, 255, 255)', 'rgb(1, 2, 3)']);
    const heightOf = () =>
      view.evaluate<number>("Math.ceil(document.getElementById('view').getBoundingClientRect().height)");
    const reported = async () =>
      (await received()).filter(({ method }) => method === 'ui/notifications/size-changed').at(-1)?.params?.height;
    await expect.poll(async () => (await reported()) === (await heightOf())).toBe(true);
    await page.evaluate(`toView({ id: 'end', method: 'ui/resource-teardown', params: {} })`);
    await page.evaluate(`toView({ id: 'odd', method: 'sampling/createMessage', params: {} })`);
    await expect
      .poll(async () => (await received()).filter(({ id }) => id === 'end' || id === 'odd'))
      .toEqual([
        { jsonrpc: '2.0', id: 'end', result: {} },
        { jsonrpc: '2.0', id: 'odd', error: { code: -32_601, message: expect.stringContaining('sampling') } },
      ]);
    expect(opened.misdeeds).toEqual({ errors: [], foreign: [] });
  });

  test('shows hostile texts as plain text, and runs none of their scripts', { timeout: TIMEOUT_MS }, async () => {
    const host = await connectHost();
    const hostile = HOSTILE_TEXTS.filter((_, index) => index % 24 === 0);
    for (const [index, text] of hostile.entries()) {
      const tags = [text.replaceAll(',', ';').slice(0, 90), 'hostile'];
      await host.call('store_memory', { content: `${index} ${text}`, tags, metadata: { [text]: text } });
    }
    const { page, view, opened } = await showView(open, host, { input: { tags: ['hostile'], limit: 40 } });
    await expect.poll(() => view.locator('.result').count()).toBe(hostile.length);
    for (const index of hostile.keys()) {
      await fitsFrame(page, view);
      await view.locator('.result a.content').nth(index).click();
      await view.locator('.facts').waitFor();
      await view.getByRole('button', { name: 'Back to the results' }).click();
    }
    const intruders = await view.evaluate(
      'document.querySelectorAll("#view :is(script, img, iframe, style, form, [onerror], [onload])").length',
    );
    expect(intruders).toBe(0);
    expect(await view.evaluate('typeof window.pwned')).toBe('undefined');
    expect(await page.evaluate('typeof window.pwned')).toBe('undefined');
    expect(opened.misdeeds).toEqual({ errors: [], foreign: [] });
  });
});
