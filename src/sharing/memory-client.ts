/** A client of the shared memory, with the limits of the tool layer. */
import { renderFailure } from '../api/render/error.js';
import { createClient, type EngraphClient } from '../client/client.js';
import { describeError } from '../http/errors.js';
import type { MemoryFetch } from '../http/memory-app.js';
import type { Logger } from '../log.js';
import { currentCancellation } from '../request-context.js';

/** An owner that hangs should be named before the time of the call is over. */
const ANSWER_WITHIN_MS = 20_000;

/** Nobody reads it. A refusal is not sent again. */
const CANCELLED = renderFailure(408, 'The call was cancelled');

/** @param log gets what fails on the way to the memory */
export function createMemoryClient(memory: MemoryFetch, log: Logger): EngraphClient {
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const cancellation = currentCancellation();
    try {
      cancellation?.throwIfAborted();
      const signals = [init.signal ?? [], cancellation ?? [], AbortSignal.timeout(ANSWER_WITHIN_MS)].flat();
      const signal = AbortSignal.any(signals);
      return await memory(new Request(url, { ...init, signal }));
    } catch (error) {
      if (cancellation?.aborted) return Response.json(CANCELLED, { status: CANCELLED.code });
      const body = describeError(error, 'A call of the memory', log);
      return Response.json(body, { status: body.code });
    }
  };
  return createClient({ url: 'http://memory', fetch });
}
