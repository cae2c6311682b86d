/** The API token: where it may stand in a request and how it is compared (decisions D37). */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { MemoryError } from '../domain/errors.js';

const BEARER = /^Bearer +(.+)$/i;
/** Paths whose GET needs no token. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set(['/health']);

/**
 * Lets a request pass that carries the API token; everything passes when none is configured.
 * The middleware throws MemoryError `unauthorized`.
 */
export function requireApiToken(apiToken: string | undefined): MiddlewareHandler {
  const expected = apiToken === undefined ? undefined : digest(apiToken);
  return async (context, next) => {
    if (expected !== undefined && !isPublic(context) && !matches(expected, presentedToken(context))) {
      context.header('WWW-Authenticate', 'Bearer');
      throw new MemoryError('unauthorized', 'Unauthorized', {
        hint: "Send the API token as 'Authorization: Bearer <token>' or 'X-API-Key: <token>'.",
      });
    }
    await next();
  };
}

function isPublic({ req: request }: Context): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && PUBLIC_PATHS.has(request.path);
}

/** A bearer token wins over the other two forms, even when only they hold the right one. */
function presentedToken({ req: request }: Context): string | undefined {
  const bearer = BEARER.exec(request.header('authorization') ?? '')?.[1];
  return bearer ?? (request.header('x-api-key') || new URL(request.url).searchParams.get('api_key') || undefined);
}

function matches(expected: Buffer, presented: string | undefined): boolean {
  return presented !== undefined && timingSafeEqual(expected, digest(presented));
}

/** Digests have one length, so comparing them tells nothing about the length of the token either. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
