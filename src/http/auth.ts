/** Checks tokens: where a request may carry them and how they are compared (docs/decisions.md, "Tokens"). Tells callers apart. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { MemoryError } from '../domain/errors.js';

const BEARER = /^Bearer +([^ ].*)$/i;
const NO_ROUTES: ReadonlySet<string> = new Set();

/**
 * Lets a request pass if it carries the API token. Without a configured token every request passes. The middleware
 * throws MemoryError `unauthorized`.
 *
 * @param publicRoutes routes that need no token, such as `GET /health`
 */
export function requireApiToken(apiToken: string | undefined, publicRoutes = NO_ROUTES): MiddlewareHandler {
  const expected = apiToken === undefined ? undefined : digest(apiToken);
  return async (context, next) => {
    if (expected !== undefined && !isPublic(context, publicRoutes)) {
      if (!matches(expected, presentedToken(context))) {
        context.header('WWW-Authenticate', 'Bearer');
        throw new MemoryError('unauthorized', 'Unauthorized', {
          hint: "Send the API token as 'Authorization: Bearer <token>' or 'X-API-Key: <token>', or add '?api_key=<token>' to the address.",
        });
      }
      notePrincipal(context, 'token');
    }
    await next();
  };
}

/**
 * Lets a request pass if it carries the admin token. The middleware throws MemoryError `admin_not_configured` when the
 * server has no admin token, and `admin_required` when the token is missing or wrong.
 */
export function requireAdminToken(adminToken: string | undefined): MiddlewareHandler {
  const expected = adminToken === undefined ? undefined : digest(adminToken);
  return async (context, next) => {
    if (expected === undefined) {
      throw new MemoryError('admin_not_configured', 'Admin token not configured', {
        hint: 'Start the server with ADMIN_API_TOKEN.',
      });
    }
    if (!matches(expected, presentedAdminToken(context.req.raw))) {
      throw new MemoryError('admin_required', 'Admin authorization required', {
        hint: "Send the admin token as 'X-Admin-Token: <token>'.",
      });
    }
    await next();
  };
}

export function presentedAdminToken(request: Request): string | undefined {
  const { headers } = request;
  const header = headers.get('x-admin-token') || headers.get('x-admin-api-key');
  return header || new URL(request.url).searchParams.get('admin_token') || undefined;
}

function isPublic({ req: request }: Context, publicRoutes: ReadonlySet<string>): boolean {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return publicRoutes.has(`${method} ${request.path}`);
}

/** A bearer token overrides the other two forms, even if only another form contains the right token. */
function presentedToken({ req: request }: Context): string | undefined {
  const bearer = BEARER.exec(request.header('authorization') ?? '')?.[1];
  return bearer ?? (request.header('x-api-key') || new URL(request.url).searchParams.get('api_key') || undefined);
}

/** Takes equally long for any token, so that timing reveals nothing. */
export function isSameToken(expected: string, presented: string | undefined): boolean {
  return matches(digest(expected), presented);
}

function matches(expected: Buffer, presented: string | undefined): boolean {
  return presented !== undefined && timingSafeEqual(expected, digest(presented));
}

/** Digests have equal lengths, so the comparison does not reveal the length of the token. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The Node server passes the incoming request in `incoming`. A request without a socket has no address. */
interface NodeBindings {
  incoming?: { socket?: { remoteAddress?: string } };
}

const byContext = new WeakMap<Context, string>();

/**
 * Notes the authenticated sender of a request. A token that was not checked identifies nobody, because anyone can
 * invent a token.
 */
function notePrincipal(context: Context, principal: string): void {
  byContext.set(context, principal);
}

/** Identifies the caller by the checked token, otherwise by the address, otherwise as anonymous. */
export function principalOf(context: Context): string {
  const noted = byContext.get(context);
  if (noted !== undefined) return noted;
  const address = (context.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress;
  return address === undefined ? 'anonymous' : `address ${address}`;
}
