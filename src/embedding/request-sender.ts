/** Requests to a provider with their attempts and time limits. */
import pRetry from 'p-retry';
import type { EmbeddingSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { EmbeddingPurpose } from './embedder.js';
import { failureOf, ProviderFailure } from './provider-failure.js';
import { retryDelayMs } from './retry-delay.js';

export type SendSettings = Pick<EmbeddingSettings, 'timeoutMs' | 'maxRetries'>;

export interface Sending {
  texts: readonly string[];
  purpose: EmbeddingPurpose;
}

export interface Sender {
  /** One attempt. @throws ProviderFailure */
  sendOnce(sending: Sending): Promise<Float32Array[]>;
  /** As many attempts as the settings allow, fewer for a question, while what fails may pass. @throws ProviderFailure */
  send(sending: Sending): Promise<Float32Array[]>;
  /** Ends what is under way: it fails with `closed`. */
  close(): void;
}

/** A question is not waited for longer than this: recall goes on without its vector well before. */
const QUERY_TIMEOUT_MS = 5_000;
/** An attempt that has to wait longer is left to the queue of pending work; for a question, to the next one. */
const WAIT_MAX_MS = { document: 20_000, query: 1_000 };

/** @param request sends one request and reads its answer; throws ProviderFailure, or what `fetch` throws */
export function createSender(
  request: (sending: Sending & { signal: AbortSignal }) => Promise<Float32Array[]>,
  { settings, clock }: { settings: SendSettings; clock: Clock },
): Sender {
  const closing = new AbortController();
  const underWay = new Set<AbortController>();
  let isFailing = false;

  const sendOnce = async (sending: Sending): Promise<Float32Array[]> => {
    const abort = new AbortController();
    if (closing.signal.aborted) abort.abort();
    underWay.add(abort);
    limitTime(abort, sending.purpose === 'query' ? Math.min(settings.timeoutMs, QUERY_TIMEOUT_MS) : settings.timeoutMs);
    try {
      const vectors = await request({ ...sending, signal: abort.signal });
      isFailing = false;
      return vectors;
    } catch (error) {
      isFailing = true;
      throw failureOf(error, abort.signal);
    } finally {
      underWay.delete(abort);
    }
  };

  /** Waits until another attempt may be made. @returns false when there shall be none */
  const awaitNextAttempt = async (error: Error, attempt: number, waitMaxMs: number): Promise<boolean> => {
    if (!(error instanceof ProviderFailure && error.isPassing)) return false;
    const delayMs = retryDelayMs(error, attempt, clock.nowMs());
    if (delayMs > waitMaxMs) return false;
    await pause(clock, delayMs, closing.signal);
    return !closing.signal.aborted;
  };

  /** Somebody waits for the answer, and during an outage every question would come to nothing later. */
  const queryRetries = () => (isFailing ? 0 : Math.min(settings.maxRetries, 1));

  return {
    sendOnce,
    send: sending =>
      pRetry(() => sendOnce(sending), {
        retries: sending.purpose === 'query' ? queryRetries() : settings.maxRetries,
        // The waiting goes by our clock.
        minTimeout: 0,
        shouldRetry: ({ error, attemptNumber }) => awaitNextAttempt(error, attemptNumber, WAIT_MAX_MS[sending.purpose]),
      }),
    close: () => {
      closing.abort();
      for (const abort of underWay) abort.abort();
    },
  };
}

/** Not `AbortSignal.any`: what it makes of a signal that lives as long as the process is not let go of soon. */
function limitTime(abort: AbortController, limitMs: number): void {
  const limit = AbortSignal.timeout(limitMs);
  limit.addEventListener('abort', () => abort.abort(limit.reason), { once: true });
}

function pause(clock: Clock, delayMs: number, closing: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      cancel();
      closing.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.schedule(delayMs, end, true);
    closing.addEventListener('abort', end, { once: true });
  });
}
