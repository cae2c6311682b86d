/**
 * Sends the requests of the views, with the tokens of this tab and the settings that the service writes into the page.
 */
import { createClient, type EngraphClient } from '../../client/client.js';

export interface Service extends EngraphClient {
  /** The metrics in the text format of Prometheus. */
  metrics(): Promise<string>;
}

/** @param onUnauthorized called when the service refuses the token */
export function createService({ url }: Settings, onUnauthorized: () => void): Service {
  const token = storedToken('token');
  const adminToken = storedToken('admin');
  const request = async (target: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(target, init);
    // The answer to a wrong admin token has the same status, but not this header.
    if (response.status === 401 && response.headers.has('www-authenticate')) {
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

export type TokenName = 'token' | 'admin';

const keyOf = (name: TokenName) => `engraph.${name}`;

export function storedToken(name: TokenName): string | undefined {
  return sessionStorage.getItem(keyOf(name)) ?? undefined;
}

/** @param value the token; if undefined, the stored token is removed */
export function storeToken(name: TokenName, value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(keyOf(name));
  else sessionStorage.setItem(keyOf(name), value);
}

export interface Settings {
  needsToken: boolean;
  hasAdminToken: boolean;
  isReadOnly: boolean;
  /** URL of the service. Behind a proxy it may contain a path. */
  url: string;
}

export function readSettings(): Settings {
  const given = document.querySelector<HTMLMetaElement>('meta[name="engraph-settings"]')?.content ?? '';
  const words = new Set(given.split(' '));
  return {
    needsToken: words.has('token'),
    hasAdminToken: words.has('admin'),
    isReadOnly: words.has('read-only'),
    url: new URL('.', location.href).href,
  };
}
