/**
 * Sets headers on every answer, so that no browser guesses the type of the answer, passes the answer to a foreign page
 * or caches it.
 */
import type { MiddlewareHandler } from 'hono';
import { setAnswerHeader } from './answer-header.js';

export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** Sets the headers on the answers of all later handlers, including errors. The page sets its own cache control. */
export function addSafeHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(SAFE_HEADERS)) {
      if (!context.res.headers.has(name)) setAnswerHeader(context, name, value);
    }
  };
}
