/**
 * Shares one memory between all processes of a user: the first process opens the memory, and the other processes send
 * their requests to the first.
 */
import { MemoryError, messageOf, readOnlyRefusal } from '../domain/errors.js';
import { needsFolder } from '../engine/open-stores.js';
import type { Forward, Reach } from '../http/memory-app.js';
import { elect, type Owner, RETRY_MS, SILENCE_MS, silentOwner, waitFor } from './election.js';
import { bufferRequest } from './held-request.js';
import { type OwnMemoryParts, openOwned, openUnshared } from './own-memory.js';
import { connectionTo, createRelay, NoAnswer, type OpenMemory } from './relay.js';
import { connectionToUrl } from './remote-memory.js';

export interface SharedMemoryParts extends OwnMemoryParts {
  /** Called each time this process has opened the memory itself. */
  onOpened?(): void;
}

export interface SharedMemory {
  /** Whether the clients of this process may only read, even if another process has the memory open. */
  isReadOnly: boolean;
  /**
   * Rejects with MemoryError `unavailable` when the owner does not answer, or when no process has the memory open and
   * this process cannot open it. Rejects with `conflict` when the owner cannot share the memory. What is forwarded is
   * rejected likewise, and with `forbidden` if it is a write and this process is read-only.
   */
  reach: Reach;
  /**
   * Ensures that some process has the memory open. Does not check a service at a URL.
   *
   * @returns the process that has the memory open; undefined if this process has it open, or if the process is unknown
   * @throws MemoryError like `reach`
   */
  open(): Promise<Owner | undefined>;
  /** Closes the memory if this process has it open, and aborts requests to another process. Safe to call twice. */
  close(): Promise<void>;
}

/** Period after the end of an owner, within which idle processes try to take the lock at different times. */
const TAKEOVER_SPREAD_MS = 100;
const TAKEOVER_RETRY_MS = 1_000;
const TAKEOVER_RETRY_MAX_MS = 60_000;
/** Time for answers that are being made when the memory is opened again. */
const RETIRING_MS = 1_000;

/** Methods of requests that read. All other methods write. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Opens nothing before the first request. */
export function shareMemory(parts: SharedMemoryParts): SharedMemory {
  const { config, log, clock } = parts;
  const { isReadOnly } = config;
  let current: Promise<OpenMemory> | undefined;
  let closing: Promise<void> | undefined;
  let retiring: Promise<void> | undefined;
  let told: number | undefined;

  const connected = (): Promise<OpenMemory> => {
    if (closing) return Promise.reject(new MemoryError('unavailable', 'The memory is being closed'));
    if (current) return current;
    const connecting = connect(parts, { onGone: () => takeOver(connecting), onWritable: () => openAgain(connecting) });
    current = connecting;
    connecting.then(tell, () => forget(connecting));
    return connecting;
  };
  const tell = ({ owner }: OpenMemory) => {
    if (owner === undefined || owner.pid === told) return;
    told = owner.pid;
    log.info(`requests are sent to process ${told}, which has the memory in ${config.dataDir} open`);
    if (config.acceptsLoss)
      log.warn('--accept-loss has no effect here: it only applies to the process that opens the memory');
  };
  const forget = (connection: Promise<OpenMemory>) => {
    if (current === connection) current = undefined;
  };
  const takeOver = (gone: Promise<OpenMemory>) => {
    if (current !== gone) return;
    forget(gone);
    openLater(process.pid % TAKEOVER_SPREAD_MS, TAKEOVER_RETRY_MS);
  };
  /** Opens the memory again, which was only read so far. Requests that are being answered have some time to end. */
  const openAgain = (reading: Promise<OpenMemory>) => {
    if (closing || current !== reading) return;
    log.info(`${config.dataDir} can be written again, so the memory is opened again`);
    forget(reading);
    retiring = waitFor(clock, RETIRING_MS).then(() => close(reading));
    openLater(0, TAKEOVER_RETRY_MS);
  };
  /** Takes over the memory later. An idle process also takes over, because background work may be pending. */
  const openLater = (delayMs: number, retryMs: number) => {
    clock.schedule(delayMs, () => {
      if (closing || current) return;
      connected().catch(error => {
        log.warn(`the memory cannot be taken over yet: ${messageOf(error)}`);
        openLater(retryMs, Math.min(retryMs * 2, TAKEOVER_RETRY_MAX_MS));
      });
    });
  };
  const relay = createRelay({ clock, folder: config.dataDir, connected, forget });
  const forward: Forward = async (request, answerWithinMs) => {
    if (isReadOnly && !READING.has(request.method)) throw readOnlyRefusal();
    return relay(await bufferRequest(request, isReadOnly), request.signal, answerWithinMs);
  };
  const close = async (connecting: Promise<OpenMemory> | undefined) => {
    const connection = await connecting?.catch(() => undefined);
    await connection?.close();
  };

  return {
    isReadOnly,
    reach: async () => {
      const { engine } = await connected();
      return engine ? { engine } : { forward };
    },
    open: async () => (await connected()).owner,
    close: () => {
      closing ??= Promise.all([retiring, close(current)]).then(() => undefined);
      return closing;
    },
  };
}

interface ConnectionEvents {
  /** The process that has the memory open has ended. */
  onGone(): void;
  /** This process has the memory open, and only read it so far because the data folder could not be written. */
  onWritable(): void;
}

async function connect(parts: SharedMemoryParts, events: ConnectionEvents): Promise<OpenMemory> {
  const { config, onOpened } = parts;
  if (config.remote) return connectionToUrl(config.remote);
  const connection = await (needsFolder(config) ? connectInFolder(parts, events) : openUnshared(parts));
  if (connection.engine) onOpened?.();
  return connection;
}

async function connectInFolder(parts: SharedMemoryParts, events: ConnectionEvents): Promise<OpenMemory> {
  const { config, clock } = parts;
  const startedMs = clock.elapsedMs();
  for (;;) {
    const elected = await elect(parts);
    if ('lock' in elected) return openOwned(parts, elected.lock, events.onWritable);
    try {
      return await connectionTo(elected.owner, events.onGone);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (clock.elapsedMs() - startedMs > SILENCE_MS) throw silentOwner(config.dataDir, elected.owner.pid);
      await waitFor(clock, RETRY_MS);
    }
  }
}
