/** Who sends a request, as far as limits and sessions must tell callers apart. */
import type { Context } from 'hono';
import { digest, presentedToken } from './auth.js';

/** The server of Node puts the incoming request here; there is none without a socket. */
interface NodeBindings {
  incoming?: { socket?: { remoteAddress?: string } };
}

/** Names the token that was presented, by its digest, else the address, else nobody. */
export function principalOf(context: Context): string {
  const token = presentedToken(context);
  if (token !== undefined) return `token ${digest(token).toString('base64url')}`;
  const address = (context.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress;
  return address === undefined ? 'anonymous' : `address ${address}`;
}
