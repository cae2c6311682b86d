/** Sends requests with JSON to a provider, with retries and time limits. */
import pRetry from 'p-retry';
import type { EmbeddingSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { EmbeddingPurpose } from './embedder.js';
import { failureOf, failureOfStatus, ProviderFailure } from './provider-failure.js';

export type SendSettings = Pick<EmbeddingSettings, 'timeoutMs' | 'maxRetries'>;

export interface Sending {
  texts: readonly string[];
  purpose: EmbeddingPurpose;
}

export interface Sender {
  /**
   * Makes one attempt.
   * @throws ProviderFailure
   */
  sendOnce(sending: Sending): Promise<Float32Array[]>;
  /**
   * Makes one attempt, and retries after a transient failure as often as the settings allow. A question is retried at
   * most once.
   * @throws ProviderFailure
   */
  send(sending: Sending): Promise<Float32Array[]>;
  /** Aborts pending requests: they fail with `closed`. */
  close(): void;
}

/** Time limit for a question. Recall continues without the question's vector well before this limit. */
const QUERY_TIMEOUT_MS = 5_000;
/**
 * Maximum wait before the next attempt. If a server asks for a longer wait, the sender gives up. The work queue then
 * retries a document later, but a question is not tried again.
 */
const WAIT_MAX_MS = { document: 20_000, query: 1_000 };

/** @param request sends one request and reads its answer; throws ProviderFailure, or the error of `fetch` */
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

  /**
   * Waits until another attempt may be made.
   * @returns false when no further attempt is allowed
   */
  const awaitNextAttempt = async (error: Error, attempt: number, waitMaxMs: number): Promise<boolean> => {
    if (!(error instanceof ProviderFailure && error.isTransient)) return false;
    const delayMs = retryDelayMs(error, attempt, clock.nowMs());
    if (delayMs > waitMaxMs) return false;
    await pause(clock, delayMs, closing.signal);
    return !closing.signal.aborted;
  };

  /**
   * Allows one retry at most, because a caller waits for the answer. Allows none during an outage, because retries
   * would only delay the failure of every question.
   */
  const queryRetries = () => (isFailing ? 0 : Math.min(settings.maxRetries, 1));

  return {
    sendOnce,
    send: sending =>
      pRetry(() => sendOnce(sending), {
        retries: sending.purpose === 'query' ? queryRetries() : settings.maxRetries,
        // Switch off the wait of the library, because the injected clock measures the wait.
        minTimeout: 0,
        shouldRetry: ({ error, attemptNumber }) => awaitNextAttempt(error, attemptNumber, WAIT_MAX_MS[sending.purpose]),
      }),
    close: () => {
      closing.abort();
      for (const abort of underWay) abort.abort();
    },
  };
}

/**
 * Aborts after the time limit. `AbortSignal.any` would keep the derived signals in memory for long, because one source
 * signal lives as long as the process.
 */
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

const FIRST_DELAY_MS = 500;
const DELAY_MAX_MS = 8_000;

/**
 * Returns the wait that the server asks for. The header `retry-after` gives it in seconds or as a date. If the server
 * does not ask for a wait, returns a time that doubles with each attempt, up to DELAY_MAX_MS.
 *
 * @param attempt number of the failed attempt, starting with 1
 * @returns milliseconds
 */
function retryDelayMs({ retryAfter = '' }: ProviderFailure, attempt: number, nowMs: number): number {
  const seconds = Number.parseFloat(retryAfter);
  const askedMs = /^[\d.]+$/.test(retryAfter.trim()) ? seconds * 1000 : Date.parse(retryAfter) - nowMs;
  if (Number.isFinite(askedMs)) return Math.max(0, askedMs);
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), DELAY_MAX_MS);
}

export interface JsonRequest {
  url: string;
  headers?: Record<string, string>;
  body: unknown;
  signal: AbortSignal;
}

/**
 * Posts JSON and reads JSON.
 *
 * @throws ProviderFailure when the status is not 2xx, SyntaxError when the answer is not JSON, or the error that
 * `fetch` throws
 */
export async function postJson({ url, headers, body, signal }: JsonRequest): Promise<unknown> {
  const response = await fetchChecked(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal,
  });
  return response.json();
}

/**
 * Like `fetch`, but throws ProviderFailure unless the status is 2xx. Follows no redirect, which would send the key and
 * the texts to another address.
 */
export async function fetchChecked(...[target, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(target, { ...init, redirect: 'manual' });
  if (response.ok) return response;
  throw failureOfStatus(response.status, await response.text(), response.headers);
}

/**
 * Returns the list that an answer has under a key.
 * @throws ProviderFailure `misread` when the answer has no list under this key
 */
export function listIn(answer: unknown, key: string): unknown[] {
  const list = isObject(answer) ? answer[key] : undefined;
  if (!Array.isArray(list)) throw new ProviderFailure('misread', `answered without a list of '${key}'`);
  return list;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
