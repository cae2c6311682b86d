/** Where the owner of a data folder answers the other processes of its user. */
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { requireApiToken } from '../http/auth.js';
import { listenOnSocket } from '../http/listen.js';
import { answerErrors, type MemoryFetch } from '../http/memory-app.js';
import { identifyRequests } from '../http/request-id.js';
import type { Logger } from '../log.js';
import { removeSocket, socketAddress } from './socket-address.js';

/** Answered for as long as the owner accepts requests. */
export const WATCH_PATH = '/owner/watch';

export interface OwnerListener {
  address: string;
  token: string;
  /** Ends the watches, lets running requests be answered and accepts no more. */
  close(): Promise<void>;
}

/** @throws MemoryError `unavailable` when nothing can listen there */
export async function listenForSiblings(folder: string, memory: MemoryFetch, log: Logger): Promise<OwnerListener> {
  const token = randomBytes(32).toString('hex');
  const address = socketAddress(folder);
  const watches = new Set<ReadableStreamDefaultController>();
  const app = new Hono();
  app.use(identifyRequests());
  answerErrors(app, log);
  app.use(requireApiToken(token));
  app.get(WATCH_PATH, () => new Response(watchStream(watches)));
  app.all('*', ({ req: request }) => memory(request.raw));
  removeSocket(address);
  const close = await listenOnSocket(app, address, log);
  return {
    address,
    token,
    close: async () => {
      for (const watch of watches) watch.close();
      watches.clear();
      await close();
      removeSocket(address);
    },
  };
}

function watchStream(watches: Set<ReadableStreamDefaultController>): ReadableStream<Uint8Array> {
  let watch: ReadableStreamDefaultController;
  return new ReadableStream({
    start(controller) {
      watch = controller;
      watches.add(controller);
      // Sends the headers.
      controller.enqueue(new Uint8Array([10]));
    },
    cancel: () => void watches.delete(watch),
  });
}
