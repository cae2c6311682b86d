/** Opens the memory in this process, and answers requests of the user's other processes. */
import type { Config } from '../config.js';
import type { Clock } from '../domain/time.js';
import type { Engine } from '../engine/engine.js';
import { openEngine } from '../engine/open.js';
import { readOnly } from '../engine/read-only.js';
import { createMemoryApp } from '../http/memory-app.js';
import type { Logger } from '../log.js';
import { type FolderLock, findWriteFailure } from '../stores/data-folder/lock.js';
import { shareWith } from './election.js';
import { type Answer, listenForSiblings, type OwnerListener, removeLeftSockets } from './owner-listener.js';
import { type Connection, connectionHere } from './relay.js';

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
export async function openOwned(parts: OwnMemoryParts, lock: FolderLock, onWritable: () => void): Promise<Connection> {
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
export async function openUnshared({ config, log }: OwnMemoryParts): Promise<Connection> {
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
