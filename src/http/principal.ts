/** Identifies the sender of a request, to distinguish callers for limits and sessions. */
import type { Context } from 'hono';

/** The Node server passes the incoming request in `incoming`. A request without a socket has no address. */
interface NodeBindings {
  incoming?: { socket?: { remoteAddress?: string } };
}

const byContext = new WeakMap<Context, string>();

/**
 * Notes the authenticated sender of a request. A token that was not checked identifies nobody, because anyone can
 * invent a token.
 */
export function notePrincipal(context: Context, principal: string): void {
  byContext.set(context, principal);
}

/** Identifies the caller by the checked token, otherwise by the address, otherwise as anonymous. */
export function principalOf(context: Context): string {
  const noted = byContext.get(context);
  if (noted !== undefined) return noted;
  const address = (context.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress;
  return address === undefined ? 'anonymous' : `address ${address}`;
}
