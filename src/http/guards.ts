/** Guards the listener: checks the headers that browsers send, and the addresses at which it may listen. */
import { isIP, isIPv6 } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.js';
import { MemoryError } from '../domain/errors.js';

export type GuardSettings = Pick<Config, 'host' | 'allowedHosts' | 'apiToken'>;

/**
 * A host with an optional port. Credentials, a path or white space, which a URL parser would accept silently, do not
 * match.
 */
const AUTHORITY = /^(?:\[[^\]]+\]|[^\s:/?#@\\[\]]+)(?::\d{1,5})?$/;
const WEB_ORIGIN = /^(https?):\/\/(.+)$/i;
const WILDCARDS: ReadonlySet<string | undefined> = new Set(['0.0.0.0', '[::]']);

/** The values of Sec-Fetch-Site that browsers send when a page of another origin caused the request. */
const FOREIGN_SITES: ReadonlySet<string | undefined> = new Set(['cross-site', 'same-site']);
/** Paths that any page may request, because they reveal nothing about memories. */
export const OPEN_PATHS: ReadonlySet<string> = new Set(['/health']);

/**
 * Refuses requests to a host that is not allowed, and requests from a foreign origin. The middleware throws MemoryError
 * `forbidden`.
 */
export function guardHostAndOrigin(settings: GuardSettings): MiddlewareHandler {
  const allowed = new Set(settings.allowedHosts.map(hostnameOf));
  const names = new Set([hostnameOf(settings.host), ...allowed]);
  // A wildcard listener does not know its addresses, so with a token it allows every address. This is safe, because DNS
  // rebinding works only with names.
  const allowsAddresses = WILDCARDS.has(hostnameOf(settings.host)) && Boolean(settings.apiToken);
  const isOurs = (hostname: string) => isLoopback(hostname) || names.has(hostname);

  return async ({ req: request }, next) => {
    const authority = request.header('host') ?? new URL(request.url).host;
    const host = hostnameOf(authority);
    if (host === undefined || !(isOurs(host) || (allowsAddresses && isAddress(host)))) {
      throw new MemoryError('forbidden', 'Host not allowed', { hint: 'Allow the name with ENGRAPH_ALLOWED_HOSTS.' });
    }
    const origin = request.header('origin');
    if (origin !== undefined && !isAllowedOrigin(origin, authority, allowed)) {
      throw new MemoryError('forbidden', 'Origin not allowed', {
        hint: 'The web page that sent this request has another origin than this service.',
      });
    }
    await next();
  };
}

/**
 * Refuses requests caused by a page of another origin, even if the browser sends no Origin, as for images and links.
 * The middleware throws MemoryError `forbidden`.
 */
export function guardBrowsers(): MiddlewareHandler {
  return async ({ req: request }, next) => {
    const site = request.header('sec-fetch-site')?.trim().toLowerCase();
    if (FOREIGN_SITES.has(site) && !OPEN_PATHS.has(request.path)) {
      throw new MemoryError('forbidden', 'A web page of another origin may not use this service', {
        hint: `The browser sent Sec-Fetch-Site: ${site}. Open the address directly, or use a program.`,
      });
    }
    await next();
  };
}

/** Whether other machines can reach a listener on this host. */
export function isBeyondLoopback(host: string): boolean {
  const hostname = hostnameOf(host);
  return hostname === undefined || !isLoopback(hostname);
}

/**
 * Refuses to serve memories on a network without a token (docs/decisions.md, "Tokens").
 *
 * @throws MemoryError `forbidden`
 */
export function assertSafeToListen(host: string, apiToken: string | undefined): void {
  if (apiToken || !isBeyondLoopback(host)) return;
  throw new MemoryError(
    'forbidden',
    `Refusing to listen on '${host}' without an API token: anyone could read the memory`,
    {
      hint: 'Set SERVICE_API_TOKEN, or listen on 127.0.0.1.',
    },
  );
}

/**
 * The addressed origin and the origins of allowed hosts are allowed. All loopback names count as the same host, but the
 * port must match, because another port may serve pages of another program on this machine.
 */
function isAllowedOrigin(origin: string, addressed: string, allowedHosts: ReadonlySet<string | undefined>): boolean {
  const [, scheme = '', authority = ''] = WEB_ORIGIN.exec(origin) ?? [];
  const hostname = hostnameOf(authority);
  if (hostname === undefined) return false;
  if (allowedHosts.has(hostname)) return true;
  const host = hostnameOf(addressed);
  const isSameHost = hostname === host || (isLoopback(hostname) && host !== undefined && isLoopback(host));
  return isSameHost && portOf(scheme, authority) === portOf(scheme, addressed);
}

/** The port of an authority. Empty for the default port of the scheme. */
function portOf(scheme: string, authority: string): string {
  return new URL(`${scheme}://${authority}`).port;
}

/** The host of `host[:port]`, normalised as in a URL. Undefined when the text has another form. */
function hostnameOf(authority: string): string | undefined {
  const text = isIPv6(authority) ? `[${authority}]` : authority;
  return AUTHORITY.test(text) && URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : undefined;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
