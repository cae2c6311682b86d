/** A memory that another machine, or another user, serves over HTTP. */
import type { RemoteSettings } from '../config.js';
import { MemoryError } from '../domain/errors.js';
import type { Connection } from './connection.js';

export function connectionToUrl({ url, token }: RemoteSettings): Connection {
  const send: Connection['fetch'] = ({ method, target, headers, body }, signal) =>
    fetch(`${url}${target}`, {
      method,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body && { body }),
      ...(signal && { signal }),
    });
  return {
    fetch: async (request, signal) => {
      try {
        return await send(request, signal);
      } catch (cause) {
        const code = (cause as { cause?: { code?: unknown } }).cause?.code;
        throw new MemoryError('unavailable', `${url} gave no answer${code === undefined ? '' : ` (${code})`}`, {
          cause,
          hint: 'Start the service there, or mend ENGRAPH_URL.',
        });
      }
    },
    close: async () => {},
  };
}
