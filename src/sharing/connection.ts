/** A connection to the memory, which is open in this process or in another process. */
import type { Engine } from '../engine/engine.js';
import type { Owner } from './election.js';
import { type HeldRequest, toRequest } from './held-request.js';
import { WATCH_PATH } from './owner-listener.js';
import { createSocketFetch } from './socket-fetch.js';

export interface Connection {
  /** The process that has the memory open; undefined if this process has it open. */
  owner?: Owner;
  /** The memory for this process; absent if another process has the memory open. */
  engine?: Engine;
  /** @throws NoAnswer when the owner is gone */
  fetch(request: HeldRequest, signal?: AbortSignal): Promise<Response>;
  close(): Promise<void>;
}

/** @param answer answers a request that was meant for another process, which has ended meanwhile */
export function connectionHere(
  engine: Engine,
  answer: (request: Request) => Response | Promise<Response>,
  close: () => Promise<void>,
): Connection {
  return { engine, fetch: async request => answer(toRequest(request)), close };
}

/**
 * @param onGone called once when the owner ends, for any reason
 * @throws NoAnswer when the owner does not answer at its address
 */
export async function connectionTo(owner: Owner, onGone: () => void): Promise<Connection> {
  const socket = createSocketFetch(owner.address, owner.token);
  await socket.watch(WATCH_PATH, onGone);
  return { owner, fetch: socket.fetch, close: async () => socket.close() };
}
