/** A client of the shared memory, with the time limits of the tool layer. */
import { renderFailure } from '../api/render/error.js';
import { createClient, type EngraphClient } from '../client/client.js';
import { MemoryError } from '../domain/errors.js';
import { describeError } from '../http/errors.js';
import type { MemoryFetch } from '../http/memory-app.js';
import type { Logger } from '../log.js';
import { currentCancellation } from '../request-context.js';
import { firstOf } from './signals.js';

/** Time limit for an answer. It ends before the tool call times out, so that the error can name an owner that hangs. */
const ANSWER_WITHIN_MS = 20_000;
/** Time limit for a call that opens the memory in this process. This limit is a second longer than ANSWER_WITHIN_MS. */
const OPEN_WITHIN_MS = 21_000;

/**
 * The answer to a cancelled call. No caller reads this answer. Its only purpose is that the client does not repeat the
 * request.
 */
const CANCELLED = renderFailure(408, 'The call was cancelled');

export interface MemoryClientOptions {
  /** Replaces the time limits of the tools, for calls that may take long. */
  timeoutMs?: number;
  /** Set for calls of operators, because a service at a URL requires this token for such calls. */
  adminToken?: string | undefined;
}

/** @param log receives failures on the way to the memory */
export function createMemoryClient(
  memory: MemoryFetch,
  log: Logger,
  { timeoutMs, adminToken }: MemoryClientOptions = {},
): EngraphClient {
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const cancellation = currentCancellation();
    try {
      cancellation?.throwIfAborted();
      const signal = firstOf([init.signal, cancellation]);
      const answer = memory(new Request(url, { ...init, signal }), timeoutMs ?? ANSWER_WITHIN_MS);
      return await Promise.race([answer, endOf(cancellation), endOf(AbortSignal.timeout(timeoutMs ?? OPEN_WITHIN_MS))]);
    } catch (error) {
      if (cancellation?.aborted) return Response.json(CANCELLED, { status: CANCELLED.code });
      const body = describeError(error, 'A call to the memory', log);
      return Response.json(body, { status: body.code });
    }
  };
  return createClient({
    url: 'http://memory',
    fetch,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(adminToken !== undefined && { adminToken }),
  });
}

/** Rejects when the signal fires. */
function endOf(signal: AbortSignal | undefined): Promise<never> {
  const ended = new Promise<never>((_resolve, reject) => {
    const hint = 'The memory may still be opening: try again in a while.';
    const refuse = () => reject(new MemoryError('unavailable', 'The memory has not answered in time', { hint }));
    signal?.addEventListener('abort', refuse, { once: true });
  });
  ended.catch(() => {});
  return ended;
}
