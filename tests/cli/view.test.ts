/** Runs `engraph view` with a program that replaces the browser. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ENVIRONMENT, spawnEngraph, spawnServe, temporaryFolder } from './spawned-engraph.js';

const TIMEOUT_MS = 30_000;
const TOKEN = 's3cret';

/** Puts a replacement for the browser first on the PATH. It writes the opened address into a file. */
async function fakeBrowser() {
  const folder = await temporaryFolder();
  const [bin, file] = [join(folder, 'bin'), join(folder, 'opened')];
  mkdirSync(bin);
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf %s "$1" > '${file}.part' && mv '${file}.part' '${file}'\n`);
    chmodSync(join(bin, name), 0o700);
  }
  const opened = async (): Promise<string> => {
    await expect.poll(() => existsSync(file)).toBe(true);
    return readFileSync(file, 'utf8');
  };
  const environment = { PATH: `${bin}:${ENVIRONMENT.PATH}`, DISPLAY: ':0' };
  return { environment, opened, wasOpened: () => existsSync(file) };
}

/** Another program on a port. `received` contains the headers of its requests. */
async function impostor(answer: RequestListener) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(JSON.stringify(request.rawHeaders));
    answer(request, response);
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return { port: String((server.address() as AddressInfo).port), received };
}

async function redeem(link: string): Promise<{ status: number; body: unknown }> {
  const { origin, hash } = new URL(link);
  const headers = { 'x-view-code': hash.replace('#code=', '') };
  const response = await fetch(`${origin}/web/session`, { method: 'POST', headers });
  return { status: response.status, body: await response.json() };
}

describe.skipIf(process.platform === 'win32')('engraph view', () => {
  test('opens the running service with a link that works once, and exits', { timeout: TIMEOUT_MS }, async () => {
    const { port } = await spawnServe(await temporaryFolder(), { SERVICE_API_TOKEN: TOKEN });
    const { environment, opened } = await fakeBrowser();
    const { ended, output } = spawnEngraph(['view', '--port', port], { ...environment, SERVICE_API_TOKEN: TOKEN });
    expect((await ended).code).toBe(0);
    const link = await opened();
    expect(output.stdout).toContain(`Opened ${link}`);
    expect(`${link}${output.stdout}`).not.toContain(TOKEN);
    expect(await redeem(link)).toEqual({ status: 200, body: { status: 'success', token: TOKEN } });
    expect((await redeem(link)).status).toBe(401);
  });

  test('opens the service at ENGRAPH_URL with its token', { timeout: TIMEOUT_MS }, async () => {
    const { url } = await spawnServe(await temporaryFolder(), { SERVICE_API_TOKEN: TOKEN });
    const { environment, opened } = await fakeBrowser();
    const { ended } = spawnEngraph(['view'], { ...environment, ENGRAPH_URL: url, ENGRAPH_TOKEN: TOKEN });
    expect((await ended).code).toBe(0);
    expect(await opened()).toMatch(new RegExp(`^${url}/#code=`));
  });

  test('serves the page itself until it is stopped, if no service runs', { timeout: TIMEOUT_MS }, async () => {
    const { port, child: other, ended: otherEnded } = await spawnServe(await temporaryFolder());
    other.kill('SIGTERM');
    await otherEnded;
    const { environment, opened } = await fakeBrowser();
    const args = ['view', '--port', port, '--data-dir', await temporaryFolder()];
    const { child, ended } = spawnEngraph(args, environment);
    const link = await opened();
    expect(await (await fetch(link)).text()).toContain('<div id="page">');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  test.each([
    ['the token is wrong', { SERVICE_API_TOKEN: 'wrong' }, /refuses the token/],
    ['there is no token', {}, /needs its API token\. Set SERVICE_API_TOKEN/],
  ])('fails with a message about the token if %s', { timeout: TIMEOUT_MS }, async (_, given, sentence) => {
    const { port } = await spawnServe(await temporaryFolder(), { SERVICE_API_TOKEN: TOKEN });
    const { environment } = await fakeBrowser();
    const { ended, output } = spawnEngraph(['view', '--port', port], { ...environment, ...given });
    expect((await ended).code).toBe(1);
    expect(output.stderr).toMatch(sentence);
  });

  test('refuses the service of another data folder than the chosen one', { timeout: TIMEOUT_MS }, async () => {
    const folder = await temporaryFolder();
    const { port } = await spawnServe(folder);
    const { environment } = await fakeBrowser();
    const viewing = (dataDir: string) => spawnEngraph(['view', '--port', port, '--data-dir', dataDir], environment);
    expect((await viewing(folder).ended).code).toBe(0);
    const other = viewing(await temporaryFolder());
    expect((await other.ended).code).toBe(1);
    expect(other.output.stderr).toMatch(/serves another memory than .* Choose another port with --port/);
  });

  test('fails if another program answers on the port of the service', { timeout: TIMEOUT_MS }, async () => {
    const { port } = await impostor((_, response) => response.writeHead(404).end('Not here'));
    const { environment } = await fakeBrowser();
    const { ended, output } = spawnEngraph(['view', '--port', port], environment);
    expect((await ended).code).toBe(1);
    expect(output.stderr).toMatch(/answered 404.*Another program/s);
  });

  test.each<[string, (port: string) => string]>([
    ['a code', () => JSON.stringify({ status: 'success', code: 'https://evil.example/"><script>&x=', folder: null })],
    ['a code of its own, with a proof', () => JSON.stringify({ code: 'x', nonce: 'n', proof: 'p', folder: 'f' })],
    ['what is no object', () => '"code"'],
    ['a code of another type', () => JSON.stringify({ code: ['x'], nonce: {}, proof: 7 })],
  ])('sends no token to another program that answers with %s, and opens nothing', async (_, answer) => {
    const { port, received } = await impostor((_request, response) => response.writeHead(201).end(answer('')));
    const { environment, wasOpened } = await fakeBrowser();
    const local = ['view', '--port', port];
    const named = { ENGRAPH_URL: `http://127.0.0.1:${port}`, ENGRAPH_TOKEN: TOKEN };
    for (const spawned of [
      spawnEngraph(local, { ...environment, SERVICE_API_TOKEN: TOKEN }),
      spawnEngraph(['view'], { ...environment, ...named }),
    ]) {
      expect((await spawned.ended).code).toBe(1);
      expect(spawned.output.stderr).toContain('does not show that it knows the token');
    }
    expect(received.join('')).toContain('x-engraph-proof');
    expect(received.join('')).not.toContain(TOKEN);
    expect(wasOpened()).toBe(false);
  });

  test('sends no token where a redirect leads, and opens nothing', { timeout: TIMEOUT_MS }, async () => {
    const target = await impostor((_, response) => response.writeHead(201).end('{}'));
    const { port } = await impostor((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}/web/codes` }).end(),
    );
    const { environment, wasOpened } = await fakeBrowser();
    const { ended } = spawnEngraph(['view', '--port', port], { ...environment, SERVICE_API_TOKEN: TOKEN });
    expect((await ended).code).toBe(1);
    expect([target.received, wasOpened()]).toEqual([[], false]);
  });

  test('is refused by the service if another program on another port passes the request on', async () => {
    const service = await spawnServe(await temporaryFolder(), { SERVICE_API_TOKEN: TOKEN });
    const statuses: number[] = [];
    const { port } = await impostor(async (request, response) => {
      const headers = { 'x-engraph-proof': String(request.headers['x-engraph-proof']) };
      const answer = await fetch(`${service.url}${request.url}`, { method: 'POST', headers });
      statuses.push(answer.status);
      response.writeHead(answer.status).end(await answer.text());
    });
    const { environment, wasOpened } = await fakeBrowser();
    const { ended } = spawnEngraph(['view', '--port', port], { ...environment, SERVICE_API_TOKEN: TOKEN });
    expect((await ended).code).toBe(1);
    expect([statuses, wasOpened()]).toEqual([[401], false]);
  });

  test.each([
    ['without a program that opens a browser', async () => ({ PATH: await temporaryFolder(), DISPLAY: ':0' })],
    ['without a screen', async () => ({ ...(await fakeBrowser()).environment, DISPLAY: '' })],
  ])('prints the link %s', { timeout: TIMEOUT_MS }, async (_, environmentOf) => {
    const { port } = await spawnServe(await temporaryFolder());
    const { ended, output } = spawnEngraph(['view', '--port', port], await environmentOf());
    expect((await ended).code).toBe(0);
    expect(output.stdout).toContain(`Open in your browser http://127.0.0.1:${port}/\n`);
  });
});
