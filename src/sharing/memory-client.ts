/** A client of the shared memory, with the limits of the tool layer. */
import { createClient, type EngraphClient } from '../client/client.js';
import { describeError } from '../http/errors.js';
import type { MemoryFetch } from '../http/memory-app.js';
import type { Logger } from '../log.js';

/** An owner that hangs should be named before the time of the call is over. */
const ANSWER_WITHIN_MS = 20_000;

/** @param log gets what fails on the way to the memory */
export function createMemoryClient(memory: MemoryFetch, log: Logger): EngraphClient {
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    try {
      const signal = AbortSignal.any([init.signal ?? [], AbortSignal.timeout(ANSWER_WITHIN_MS)].flat());
      return await memory(new Request(url, { ...init, signal }));
    } catch (error) {
      const body = describeError(error, 'A call of the memory', log);
      return Response.json(body, { status: body.code });
    }
  };
  return createClient({ url: 'http://memory', fetch });
}
