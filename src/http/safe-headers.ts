/**
 * Sets headers on every answer, so that no browser guesses the type of the answer, passes the answer to a foreign page
 * or caches it.
 */
import type { Context, MiddlewareHandler } from 'hono';

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

/**
 * Sets a header on an answer that a later handler has made. `context.header` would copy the answer. The server sends a
 * copy as a stream, and a stream takes several times as long as one text.
 *
 * @throws TypeError if the answer comes from `fetch`, because its headers cannot be changed
 */
export function setAnswerHeader({ res }: Context, name: string, value: string): void {
  res.headers.set(name, value);
}
