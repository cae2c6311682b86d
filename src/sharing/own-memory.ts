/** Opens the memory in this process, and answers the other processes of its user. */
import type { Config } from '../config.js';
import type { Engine } from '../engine/engine.js';
import { openEngine } from '../engine/open.js';
import { readOnly } from '../engine/read-only.js';
import { createMemoryApp, type MemoryFetch } from '../http/memory-app.js';
import type { Logger } from '../log.js';
import type { FolderLock } from '../stores/data-folder/lock.js';
import { type Connection, connectionHere } from './connection.js';
import { PROTOCOL } from './election.js';
import { READ_ONLY_HEADER } from './held-request.js';
import { listenForSiblings } from './owner-listener.js';

export interface OwnMemoryParts {
  config: Config;
  version: string;
  log: Logger;
}

/**
 * Others may send requests at once, which wait until the memory is open.
 *
 * @param lock given free with the connection, also when the memory cannot be opened
 * @throws MemoryError as `openEngine`
 */
export async function openOwned({ config, version, log }: OwnMemoryParts, lock: FolderLock): Promise<Connection> {
  const opening = openEngine(config, { log, lock }).then(engine => ({ engine, answer: memoryOf(engine, log) }));
  const memory: MemoryFetch = async request => (await opening).answer(request);
  const listening = listenForSiblings(lock.folder, memory, log).then(listener => {
    const { address, token } = listener;
    lock.announce({ version, protocol: PROTOCOL, address, token });
    return listener;
  });
  const [opened, listener] = await Promise.allSettled([opening, listening]);
  const close = async () => {
    if (listener.status === 'fulfilled') await listener.value.close();
    if (opened.status === 'fulfilled') await opened.value.engine.close();
  };
  if (opened.status === 'fulfilled' && listener.status === 'fulfilled') {
    return connectionHere(ownFetch(config, opened.value.engine, log), close);
  }
  await close();
  throw opened.status === 'rejected' ? opened.reason : (listener as PromiseRejectedResult).reason;
}

/** Where nothing is kept in the data folder, every process opens the memory for itself. */
export async function openUnshared({ config, log }: OwnMemoryParts): Promise<Connection> {
  const engine: Engine = await openEngine(config, { log });
  return connectionHere(ownFetch(config, engine, log), () => engine.close());
}

/** Read-only is how this process serves its clients; the others of its user have settings of their own. */
function ownFetch({ isReadOnly }: Config, engine: Engine, log: Logger): MemoryFetch {
  return isReadOnly ? createMemoryApp(readOnly(engine), log).fetch : memoryOf(engine, log);
}

/** A request may ask that nothing is changed on its behalf. */
function memoryOf(engine: Engine, log: Logger): MemoryFetch {
  const whole = createMemoryApp(engine, log);
  let reading: ReturnType<typeof createMemoryApp> | undefined;
  return request => {
    if (!request.headers.has(READ_ONLY_HEADER)) return whole.fetch(request);
    reading ??= createMemoryApp(readOnly(engine), log);
    return reading.fetch(request);
  };
}
