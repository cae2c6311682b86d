/** The headers that every answer carries, so that no browser guesses its type, hands it to a foreign page or keeps it. */
import type { MiddlewareHandler } from 'hono';

export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** Sets the headers on whatever stands behind it has answered, errors included. The page states how long it may be kept. */
export function addSafeHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(SAFE_HEADERS)) {
      if (!context.res.headers.has(name)) context.header(name, value);
    }
  };
}
