/**
 * Opens the memory in this process, and answers requests of the user's other processes at a socket in the data folder.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Hono } from 'hono';
import type { Config } from '../config.js';
import { MemoryError } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import type { Engine } from '../engine/engine.js';
import { openEngine } from '../engine/open.js';
import { readOnly } from '../engine/read-only.js';
import { requireApiToken } from '../http/auth.js';
import { identifyRequests } from '../http/every-request.js';
import { listenOnSocket } from '../http/listen.js';
import { answerErrors, createMemoryApp } from '../http/memory-app.js';
import type { Logger } from '../log.js';
import { type FolderLock, findWriteFailure } from '../stores/data-folder/lock.js';
import { shareWith } from './election.js';
import { connectionHere, type OpenMemory, WATCH_PATH } from './relay.js';

export interface OwnMemoryParts {
  config: Config;
  version: string;
  log: Logger;
  clock: Clock;
}

/** How often a memory that is only read looks whether its folder can be written again. */
const TRIAL_INTERVAL_MS = 5_000;

/**
 * Opens the memory. Other processes may already send requests, which wait until the memory is open.
 *
 * @param lock released when the connection is closed, or when the memory cannot be opened
 * @param onWritable called once, if the data folder could not be written at first and can be written now
 * @throws MemoryError like `openEngine`
 */
export async function openOwned(parts: OwnMemoryParts, lock: FolderLock, onWritable: () => void): Promise<OpenMemory> {
  const { config, log } = parts;
  let stopTrials = () => {};
  const onReadOnly = () => {
    stopTrials = whenWritable(parts, onWritable);
  };
  const opening = openEngine(config, { log, lock, onReadOnly }).then(engine => ({
    engine,
    app: createMemoryApp(engine, log),
  }));
  const listening = listen(parts, lock, async request => (await opening).app.fetch(request));
  try {
    const { engine, app } = await opening;
    const listener = await listening;
    return connectionHere(ownView(config, engine), app.fetch, async () => {
      stopTrials();
      await listener?.close();
      await engine.close();
    });
  } catch (error) {
    stopTrials();
    await (await listening)?.close();
    throw error;
  }
}

/** @returns a function that ends the trials */
function whenWritable({ config, clock }: OwnMemoryParts, onWritable: () => void): () => void {
  let cancel = () => {};
  const schedule = () => {
    cancel = clock.schedule(TRIAL_INTERVAL_MS, () => (findWriteFailure(config.dataDir) ? schedule() : onWritable()));
  };
  schedule();
  return () => cancel();
}

/** Listens for other processes. If no socket can be opened, this process does not share the memory. */
async function listen(
  { config, version, log, clock }: OwnMemoryParts,
  lock: FolderLock,
  answer: Answer,
): Promise<OwnerListener | undefined> {
  const { folder } = lock;
  // Nothing can be published in a folder that cannot be written, so every process opens the memory for itself.
  if (lock.unwritable) return undefined;
  const announce = (address: string, token: string) => lock.announce({ ...shareWith(config, version), address, token });
  try {
    removeLeftSockets(folder, lock.left?.address);
    return await listenForSiblings({ folder, answer, log, clock, announce });
  } catch (error) {
    log.warn('other processes cannot share this memory', error);
    lock.announce({});
    return undefined;
  }
}

/** Opens a memory that keeps nothing in the data folder. Every process opens such a memory for itself. */
export async function openUnshared({ config, log }: OwnMemoryParts): Promise<OpenMemory> {
  const engine: Engine = await openEngine(config, { log });
  return connectionHere(ownView(config, engine), createMemoryApp(engine, log).fetch, () => engine.close());
}

/**
 * Applies the read-only setting to the clients of this process only. The other processes of the user have their own
 * settings.
 */
function ownView({ isReadOnly }: Config, engine: Engine): Engine {
  return isReadOnly ? readOnly(engine) : engine;
}

/** Maximum time until a removed socket is noticed. */
const CHECK_INTERVAL_MS = 3_000;

interface OwnerListener {
  /** Ends the watches, waits for running requests and accepts no new requests. */
  close(): Promise<void>;
}

/** Every failure is an answer. */
type Answer = (request: Request) => Response | Promise<Response>;

export interface ListeningParts {
  folder: string;
  answer: Answer;
  log: Logger;
  clock: Clock;
  /** Called with each new address, and again every few seconds, so that other processes know the address. */
  announce(address: string, token: string): void;
}

/** @throws MemoryError `unavailable` when this process cannot listen at any address */
async function listenForSiblings({ folder, answer, log, clock, announce }: ListeningParts): Promise<OwnerListener> {
  const token = randomBytes(32).toString('hex');
  const watches = new Set<ReadableStreamDefaultController>();
  const app = siblingApp({ token, watches, answer, log });
  const closers: (() => Promise<void>)[] = [];
  let address = '';
  let cancelCheck = () => {};
  const listen = async () => {
    const opened = await listenAnywhere(app, folder, log);
    ({ address } = opened);
    closers.push(opened.close);
  };
  const checkSocket = async () => {
    try {
      // Listen again if the socket is gone, because programs that clean up temporary files also remove sockets.
      // Existing connections survive the removal.
      if (process.platform !== 'win32' && !existsSync(address)) await listen();
      announce(address, token);
    } catch (error) {
      log.warn('the address of the memory cannot be published to other processes', error);
    }
    cancelCheck = clock.schedule(CHECK_INTERVAL_MS, () => void checkSocket());
  };
  await listen();
  await checkSocket();
  return {
    close: async () => {
      cancelCheck();
      for (const watch of watches) watch.close();
      watches.clear();
      await Promise.all(closers.map(close => close()));
    },
  };
}

async function listenAnywhere(app: Hono, folder: string, log: Logger) {
  let failure = new MemoryError('unavailable', `All possible paths of a socket for ${folder} are too long`);
  for (const address of socketAddresses(folder)) {
    try {
      return { address, close: await listenOnSocket(app, address, log) };
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      failure = error;
    }
  }
  throw failure;
}

interface SiblingAppParts extends Pick<ListeningParts, 'answer' | 'log'> {
  token: string;
  watches: Set<ReadableStreamDefaultController>;
}

function siblingApp({ token, watches, answer, log }: SiblingAppParts): Hono {
  const app = new Hono();
  app.use(identifyRequests());
  answerErrors(app, log);
  app.use(requireApiToken(token));
  app.get(WATCH_PATH, () => new Response(watchStream(watches)));
  app.all('*', ({ req: request }) => answer(request.raw));
  return app;
}

function watchStream(watches: Set<ReadableStreamDefaultController>): ReadableStream<Uint8Array> {
  let watch: ReadableStreamDefaultController;
  return new ReadableStream({
    start(controller) {
      watch = controller;
      watches.add(controller);
      // Send a byte at once, because the headers are sent only with the first byte.
      controller.enqueue(new Uint8Array([10]));
    },
    cancel: () => void watches.delete(watch),
  });
}

/** Maximum length of a path. Operating systems limit the path of a socket to 104 bytes, or to a larger number. */
const PATH_MAX_BYTES = 100;
const SOCKET_FILE = /^(?:engraph-)?owner-[0-9a-f]{16}\.sock$/;

/**
 * Addresses to try, best first. A Unix socket in the data folder is best, because only the user of the folder can reach
 * it, and browsers cannot. If the path is too long, or the file system does not support sockets, the socket is placed
 * among the temporary files. On Windows the address is a named pipe, which other users may open, so every request needs
 * a token. Each owner uses a different name, so that no owner removes the socket of another owner.
 */
function socketAddresses(folder: string): string[] {
  const name = `owner-${randomBytes(8).toString('hex')}`;
  if (process.platform === 'win32') return [`\\\\.\\pipe\\engraph-${name}`];
  const paths = [join(folder, `${name}.sock`), join(tmpdir(), `engraph-${name}.sock`)];
  return paths.filter(path => Buffer.byteLength(path) <= PATH_MAX_BYTES);
}

/** Removes sockets that owners of a folder left when they were killed. The caller must hold the folder's lock. */
function removeLeftSockets(folder: string, lastAddress: string | undefined): void {
  if (process.platform === 'win32') return;
  const left = readdirSync(folder).filter(name => SOCKET_FILE.test(name));
  for (const name of left) rmSync(join(folder, name), { force: true });
  if (lastAddress === undefined || dirname(lastAddress) !== tmpdir() || !SOCKET_FILE.test(basename(lastAddress)))
    return;
  rmSync(lastAddress, { force: true });
}
