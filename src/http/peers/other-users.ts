/** Refuses other users of this machine while the service has no token (docs/decisions.md, "Other users of the machine"). */
import { Socket } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { MemoryError } from '../../domain/errors.js';
import { OPEN_PATHS } from '../guards.js';
import type { ConnectionEnds, ConnectionOwner, OwnerLookup } from './connection-owner.js';

const ROOT = 0;

/**
 * Lets a request pass if its connection was opened by the user of this process or by root, who can read the data folder
 * anyway, or if the system does not tell who opened it. Each connection is looked up once. The middleware throws
 * MemoryError `forbidden`.
 */
export function refuseOtherUsers(ownerOf: OwnerLookup): MiddlewareHandler {
  const owners = new WeakMap<object, Promise<ConnectionOwner>>();
  const ownUid = process.geteuid?.();
  return async (context, next) => {
    const socket = socketOf(context);
    if (socket && !OPEN_PATHS.has(context.req.path)) {
      const owner = owners.get(socket) ?? lookUp(socket, ownerOf);
      owners.set(socket, owner);
      if (!isAllowed(await owner, ownUid)) throw refusal();
    }
    await next();
  };
}

function isAllowed(owner: ConnectionOwner, ownUid: number | undefined): boolean {
  if (typeof owner === 'string') return owner === 'unknown';
  return owner.uid === ROOT || owner.uid === ownUid;
}

function refusal(): MemoryError {
  return new MemoryError('forbidden', 'Another user of this machine opened the connection', {
    hint:
      'Without an API token this service answers only the user who runs it, and root. Set SERVICE_API_TOKEN for the ' +
      'service and send the token. This holds for a proxy that another user runs, too.',
  });
}

/** The socket of a request. Undefined for a request within the process. */
function socketOf({ env }: Context): Socket | undefined {
  const socket = (env as { incoming?: { socket?: unknown } } | undefined)?.incoming?.socket;
  return socket instanceof Socket ? socket : undefined;
}

/** The addresses of a socket are undefined after the other end has reset the connection. */
async function lookUp(socket: Socket, ownerOf: OwnerLookup): Promise<ConnectionOwner> {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  const ends = { localAddress, localPort, remoteAddress, remotePort };
  return Object.values(ends).includes(undefined) ? 'closed' : ownerOf(ends as ConnectionEnds);
}
