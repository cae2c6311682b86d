/** Computes how long to wait before another attempt. */
import type { ProviderFailure } from './provider-failure.js';

const FIRST_DELAY_MS = 500;
const DELAY_MAX_MS = 8_000;

/**
 * Returns the wait that the server asks for. The header `retry-after` gives it in seconds or as a date. If the server
 * does not ask for a wait, returns a time that doubles with each attempt, up to DELAY_MAX_MS.
 *
 * @param attempt number of the failed attempt, starting with 1
 * @returns milliseconds
 */
export function retryDelayMs({ retryAfter = '' }: ProviderFailure, attempt: number, nowMs: number): number {
  const seconds = Number.parseFloat(retryAfter);
  const askedMs = /^[\d.]+$/.test(retryAfter.trim()) ? seconds * 1000 : Date.parse(retryAfter) - nowMs;
  if (Number.isFinite(askedMs)) return Math.max(0, askedMs);
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), DELAY_MAX_MS);
}
