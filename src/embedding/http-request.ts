/** Sends one request with a JSON body, and interprets the answer. */
import { failureOfStatus, ProviderFailure } from './provider-failure.js';

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
