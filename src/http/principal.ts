/** Who sends a request, as far as limits and sessions must tell callers apart. */
import type { Context } from 'hono';

/** The server of Node puts the incoming request here; there is none without a socket. */
interface NodeBindings {
  incoming?: { socket?: { remoteAddress?: string } };
}

const byContext = new WeakMap<Context, string>();

/** Notes who was found to have sent the request. A token that nobody has checked names nobody: anyone can make one up. */
export function notePrincipal(context: Context, principal: string): void {
  byContext.set(context, principal);
}

/** Names the token that was checked, else the address, else nobody. */
export function principalOf(context: Context): string {
  const noted = byContext.get(context);
  if (noted !== undefined) return noted;
  const address = (context.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress;
  return address === undefined ? 'anonymous' : `address ${address}`;
}
