/** Sends the requests of the views, with the tokens of this tab. */
import { createClient, type EngraphClient } from '../../client/client.js';
import type { Settings } from './settings.js';
import { storedToken, storeToken } from './tokens.js';

export interface Service extends EngraphClient {
  /** The metrics in the text format of Prometheus. */
  metrics(): Promise<string>;
}

const UNAUTHORIZED = 401;

/** @param onUnauthorized called when the service refuses the token */
export function createService({ url }: Settings, onUnauthorized: () => void): Service {
  const token = storedToken('token');
  const adminToken = storedToken('admin');
  const request = async (target: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(target, init);
    // The answer to a wrong admin token has the same status, but not this header.
    if (response.status === UNAUTHORIZED && response.headers.has('www-authenticate')) {
      storeToken('token', undefined);
      onUnauthorized();
    }
    return response;
  };
  const client = createClient({
    url,
    fetch: request,
    ...(token !== undefined && { token }),
    ...(adminToken !== undefined && { adminToken }),
  });
  return {
    ...client,
    metrics: async () => {
      const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await request(`${url.replace(/\/$/, '')}/metrics`, { headers });
      if (!response.ok) throw new Error(`The metrics cannot be read: the service answered ${response.status}`);
      return response.text();
    },
  };
}
