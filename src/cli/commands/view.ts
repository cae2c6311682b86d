/** `engraph view`: opens the web page of a running service, or starts a service and opens its page. */

import { spawn } from 'node:child_process';
import { MemoryError } from '../../domain/errors.js';
import { systemClock } from '../../engine/clock.js';
import { assertSafeToListen } from '../../http/guards.js';
import { CODES_PATH, codeFrom, folderDigest, PROOF_HEADER, proofOf } from '../../http/page.js';
import { shareMemory } from '../../sharing/shared-memory.js';
import { type CommandParts, say } from '../command.js';
import { startListener } from '../listener.js';
import { runUntilStopped } from '../process-guards.js';

/** Time limit for an answer. A service on this machine answers within milliseconds. */
const ANSWER_WITHIN_MS = 5_000;

/**
 * @returns 0 at once if a service is running; otherwise the exit code of the started service, after it has stopped
 * @throws MemoryError, for example when the service refuses the token or another program uses the port
 */
export async function runView(parts: CommandParts): Promise<number> {
  const { config } = parts;
  const local = { url: localUrl(config), token: config.apiToken, port: config.port };
  const { url, token, port } = config.remote ? { ...config.remote, port: undefined } : local;
  const found = await linkTo({ url, token, port, folder: chosenFolder(parts) });
  if (found !== undefined) {
    if (config.remote === undefined && found.folder !== folderDigest(config.dataDir))
      say(`The service at ${url} has another memory than ${config.dataDir}.`);
    await show(found.link);
    return 0;
  }
  if (config.remote) {
    throw new MemoryError('unavailable', `Nothing answers at ${url}`, {
      hint: 'Check that the service runs at that address, or correct ENGRAPH_URL.',
    });
  }
  return serveAndShow(parts);
}

function serveAndShow({ config, log, version }: CommandParts): Promise<number> {
  return runUntilStopped(log, async run => {
    assertSafeToListen(config.host, config.apiToken);
    const memory = shareMemory({ config, version, log, clock: systemClock });
    run.closeLater(() => memory.close());
    await memory.open();
    const listener = await startListener({ memory, config, version, log });
    run.closeLater(() => listener.close());
    await show((await linkTo({ ...listener, token: config.apiToken }))?.link ?? `${listener.url}/`);
    say('The page is served until you press Ctrl-C.');
  });
}

/**
 * Returns the data folder that the service at the address must use. Undefined when any service is accepted, because the
 * user did not choose a folder for this command, or no store is in the folder.
 */
function chosenFolder({ config, flags, environment }: CommandParts): string | undefined {
  const isChosen = flags['data-dir'] !== undefined || environment.ENGRAPH_DATA_DIR !== undefined;
  const isOnServers = config.remote !== undefined || (config.stores.falkordb && config.stores.qdrant);
  return isChosen && !isOnServers ? config.dataDir : undefined;
}

/** A service and what is known about it. */
interface Place {
  url: string;
  token: string | undefined;
  /** The port of a service on this machine. Undefined for an address that the user named. */
  port: number | undefined;
  /** The data folder that the service must use. */
  folder?: string | undefined;
}

interface Link {
  link: string;
  /** Digest of the service's data folder. */
  folder: string;
}

/**
 * With a token the link contains a code that works once. The token itself is not sent, because another program may
 * listen at the address.
 *
 * @returns undefined when nothing answers
 * @throws MemoryError when the service refuses the token or does not know it, or has another data folder
 */
async function linkTo({ url, token, port, folder: chosen }: Place): Promise<Link | undefined> {
  const proof = token === undefined ? undefined : proofOf(token, port);
  const headers: Record<string, string> = proof === undefined ? {} : { [PROOF_HEADER]: proof };
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const request = { method: 'POST', headers, signal, redirect: 'manual' } as const;
  const answer = await fetch(`${url}${CODES_PATH}`, request).catch(() => undefined);
  if (answer === undefined) return undefined;
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  if (answer.status !== 201 || (token === undefined && typeof body.code !== 'string'))
    throw refusalOf(answer.status, body, { url, token });
  if (chosen !== undefined && body.folder !== folderDigest(chosen)) {
    throw new MemoryError('conflict', `${url} serves another memory than ${chosen}`, {
      hint: 'Choose another port with --port.',
    });
  }
  // Without a token the page needs no code.
  const folder = String(body.folder);
  if (token === undefined || proof === undefined) return { link: `${url}/`, folder };
  const code = codeFrom({ nonce: String(body.nonce), proof: String(body.proof) }, token, proof);
  if (code !== undefined) return { link: `${url}/#code=${encodeURIComponent(code)}`, folder };
  throw new MemoryError('unauthorized', `${url} does not show that it knows the token, so the page is not opened`, {
    hint: 'Another program may listen there, or the service runs without SERVICE_API_TOKEN.',
  });
}

function refusalOf(
  status: number,
  { error, details }: Record<string, unknown>,
  { url, token }: Pick<Place, 'url' | 'token'>,
) {
  if (status === 401) {
    const problem = token === undefined ? 'needs its API token' : 'refuses the token';
    return new MemoryError('unauthorized', `${url} ${problem}`, {
      hint:
        'Set SERVICE_API_TOKEN, or ENGRAPH_TOKEN together with ENGRAPH_URL, to the token of that service. If another ' +
        'port is forwarded to the service, name the address with ENGRAPH_URL.',
    });
  }
  return new MemoryError('unavailable', `${url} answered ${status}${error ? `: ${error}` : ''}`, {
    hint:
      status === 403 && typeof details === 'string'
        ? details
        : 'Another program or an earlier version of Engraph may use the port. Choose another port with --port.',
  });
}

async function show(link: string): Promise<void> {
  const isOpened = await openBrowser(link);
  say(`${isOpened ? 'Opened' : 'Open in your browser'} ${link}`);
  if (link.includes('#code=')) say('The link works once, within a minute.');
}

/** Replaces a wildcard host by a loopback address, because a browser cannot open a wildcard address. */
function localUrl({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` is not used, because it needs a shell, and the shell would interpret special characters of the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const USUAL_OPENER = ['xdg-open'] as const;

/** @returns true if the program that opens the browser was started; false if it is missing, or Linux has no screen */
async function openBrowser(url: string): Promise<boolean> {
  if (!hasScreen(process)) return false;
  const [command, ...words] = OPENERS[process.platform] ?? USUAL_OPENER;
  return new Promise(resolve => {
    const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** Whether a browser can be shown. On a Linux server without a screen, `xdg-open` starts too, but finds no browser. */
function hasScreen({ platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>): boolean {
  const signs = [env.DISPLAY, env.WAYLAND_DISPLAY, env.BROWSER, env.WSL_DISTRO_NAME];
  return platform !== 'linux' || signs.some(sign => sign !== undefined && sign !== '');
}
