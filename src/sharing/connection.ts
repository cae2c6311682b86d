/** A connection to the memory, which is open in this process or in another process. */
import type { MemoryFetch } from '../http/memory-app.js';
import type { Owner } from './election.js';
import { type HeldRequest, toRequest } from './held-request.js';
import { WATCH_PATH } from './owner-listener.js';
import { createSocketFetch } from './socket-fetch.js';

export interface Connection {
  /** The process that has the memory open; undefined if this process has it open. */
  owner?: Owner;
  /**
   * Answers a request in this process, without a copy of the request; absent if another process has the memory open.
   */
  fetchHere?: MemoryFetch;
  /** @throws NoAnswer when the owner is gone */
  fetch(request: HeldRequest, signal?: AbortSignal): Promise<Response>;
  close(): Promise<void>;
}

export function connectionHere(memory: MemoryFetch, close: () => Promise<void>): Connection {
  return { fetchHere: memory, fetch: async request => memory(toRequest(request)), close };
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
