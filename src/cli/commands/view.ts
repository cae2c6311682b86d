/** `engraph view`: opens the web page of a running service, or starts a service and opens its page. */
import { MemoryError } from '../../domain/errors.js';
import { systemClock } from '../../engine/clock.js';
import { assertSafeToListen } from '../../http/guards.js';
import { CODES_PATH, folderDigest } from '../../http/page-codes.js';
import { shareMemory } from '../../sharing/shared-memory.js';
import type { CommandParts } from '../command.js';
import { startListener } from '../listener.js';
import { openBrowser } from '../open-browser.js';
import { runUntilStopped } from '../run-until-stopped.js';
import { say } from '../say.js';

/** Time limit for an answer. A service on this machine answers within milliseconds. */
const ANSWER_WITHIN_MS = 5_000;

/**
 * @returns 0 at once if a service is running; otherwise the exit code of the started service, after it has stopped
 * @throws MemoryError, for example when the service refuses the token or another program uses the port
 */
export async function runView(parts: CommandParts): Promise<number> {
  const { config } = parts;
  const { url, token } = config.remote ?? { url: localUrl(config), token: config.apiToken };
  const link = await linkTo(url, token, chosenFolder(parts));
  if (link !== undefined) {
    await show(link);
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
    const listener = await startListener({ memory: memory.fetch, config, version, log });
    run.closeLater(() => listener.close());
    await show((await linkTo(listener.url, config.apiToken)) ?? `${listener.url}/`);
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

/**
 * With a token the link contains a code that works once.
 *
 * @returns a link; undefined when nothing answers
 * @throws MemoryError when the service refuses the token, or has another data folder than the chosen one
 */
async function linkTo(url: string, token: string | undefined, chosen?: string): Promise<string | undefined> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const answer = await fetch(`${url}${CODES_PATH}`, { method: 'POST', headers, signal }).catch(() => undefined);
  if (answer === undefined) return undefined;
  const { code, error, folder } = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  if (chosen !== undefined && typeof folder === 'string' && folder !== folderDigest(chosen)) {
    throw new MemoryError('conflict', `${url} serves another memory than ${chosen}`, {
      hint: 'Choose another port with --port.',
    });
  }
  // Without a token the page needs no code.
  if (typeof code === 'string') return token === undefined ? `${url}/` : `${url}/#code=${code}`;
  if (answer.status === 401) {
    throw new MemoryError(
      'unauthorized',
      `${url} ${token === undefined ? 'needs its API token' : 'refuses the token'}`,
      {
        hint: 'Set SERVICE_API_TOKEN, or ENGRAPH_TOKEN together with ENGRAPH_URL, to the token of that service.',
      },
    );
  }
  throw new MemoryError('unavailable', `${url} answered ${answer.status}${error ? `: ${error}` : ''}`, {
    hint: 'Another program or an earlier version of Engraph may use the port. Choose another port with --port.',
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
