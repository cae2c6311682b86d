/** One memory for all processes of a user: the first opens it, the others send their requests to it. */
import type { Config } from '../config.js';
import { MemoryError, messageOf, readOnlyRefusal } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import { needsFolder } from '../engine/open-stores.js';
import type { MemoryFetch } from '../http/memory-app.js';
import type { Logger } from '../log.js';
import { type Connection, connectionTo } from './connection.js';
import { elect, type Owner } from './election.js';
import { hold } from './held-request.js';
import { openOwned, openUnshared } from './own-memory.js';
import { createRelay } from './relay.js';
import { connectionToUrl } from './remote-memory.js';

export interface SharedMemoryParts {
  config: Config;
  /** Of the package. */
  version: string;
  log: Logger;
  clock: Clock;
  /** Called when this process has opened the memory itself. */
  onOpened?(memory: MemoryFetch): void;
}

export interface SharedMemory {
  /**
   * Rejects with MemoryError `unavailable` when nobody has the memory open and this process cannot open it, or when the
   * owner does not answer; `forbidden` for a write where this process is read-only, wherever the memory is open.
   */
  fetch: MemoryFetch;
  /**
   * Makes sure that somebody has the memory open.
   *
   * @returns the process that has; undefined where it is this one, or where it is not known
   * @throws MemoryError as `fetch`
   */
  open(): Promise<Owner | undefined>;
  /** Lets running requests be answered, and closes the memory where this process has it open. Safe to call twice. */
  close(): Promise<void>;
}

/** Idle processes do not all reach for the lock at once. */
const TAKEOVER_SPREAD_MS = 100;
/** All other methods write. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Opens nothing before the first request. */
export function shareMemory(parts: SharedMemoryParts): SharedMemory {
  const { log, clock } = parts;
  const { isReadOnly } = parts.config;
  let current: Promise<Connection> | undefined;
  let closing: Promise<void> | undefined;

  const connected = (): Promise<Connection> => {
    if (closing) return Promise.reject(new MemoryError('unavailable', 'The memory is being closed'));
    if (current) return current;
    const connecting = connect(parts, () => takeOver(connecting));
    current = connecting;
    connecting.then(tell, () => forget(connecting));
    return connecting;
  };
  const forget = (connection: Promise<Connection>) => {
    if (current === connection) current = undefined;
  };
  /** Work may wait in the background, so that an idle process takes over too. */
  const takeOver = (gone: Promise<Connection>) => {
    if (closing || current !== gone) return;
    forget(gone);
    clock.schedule(process.pid % TAKEOVER_SPREAD_MS, () => {
      if (!closing) connected().catch(error => log.warn(`the memory cannot be taken over yet: ${messageOf(error)}`));
    });
  };
  let told: number | undefined;
  const tell = ({ owner }: Connection) => {
    if (owner === undefined || owner.pid === told) return;
    told = owner.pid;
    log.info(`the memory in ${parts.config.dataDir} is open in process ${told}, to which requests are sent`);
  };
  const relay = createRelay({ clock, folder: parts.config.dataDir, connected, forget });
  const close = async (connecting: Promise<Connection> | undefined) => {
    const connection = await connecting?.catch(() => undefined);
    await connection?.close();
  };

  return {
    fetch: async request => {
      if (isReadOnly && !READING.has(request.method)) throw readOnlyRefusal();
      const { fetchHere } = await connected();
      return fetchHere ? fetchHere(request) : relay(await hold(request, isReadOnly), request.signal);
    },
    open: async () => (await connected()).owner,
    close: () => {
      closing ??= close(current);
      return closing;
    },
  };
}

async function connect(parts: SharedMemoryParts, onGone: () => void): Promise<Connection> {
  const { config, version, clock, onOpened } = parts;
  if (config.remote) return connectionToUrl(config.remote);
  const elected = needsFolder(config) ? await elect({ folder: config.dataDir, version, clock }) : undefined;
  if (elected && 'owner' in elected) {
    return connectionTo(elected.owner, onGone);
  }
  const connection = await (elected ? openOwned(parts, elected.lock) : openUnshared(parts));
  if (connection.fetchHere) onOpened?.(connection.fetchHere);
  return connection;
}
