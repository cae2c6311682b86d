/** Who may address the listener: host and origin checks against DNS rebinding, and where it may listen at all. */
import { isIP, isIPv6 } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.js';
import { MemoryError } from '../domain/errors.js';

export type GuardSettings = Pick<Config, 'host' | 'allowedHosts' | 'apiToken'>;

/** A host and at most a port: no credentials, path or blanks that a URL parser would quietly accept. */
const AUTHORITY = /^(?:\[[^\]]+\]|[^\s:/?#@\\[\]]+)(?::\d{1,5})?$/;
const WEB_ORIGIN = /^https?:\/\/(.+)$/i;
const WILDCARDS: ReadonlySet<string | undefined> = new Set(['0.0.0.0', '[::]']);

/**
 * Lets a request pass that is addressed to a name of ours and that no foreign web page has sent. Ports do not matter.
 * The middleware throws MemoryError `forbidden`.
 */
export function guardHostAndOrigin(settings: GuardSettings): MiddlewareHandler {
  const names = new Set([settings.host, ...settings.allowedHosts].map(hostnameOf));
  // A rebound name never arrives as an address, and behind a wildcard we cannot know our addresses.
  const allowsAddresses = WILDCARDS.has(hostnameOf(settings.host)) && Boolean(settings.apiToken);
  const isOurs = (hostname: string) => isLoopback(hostname) || names.has(hostname);

  return async ({ req: request }, next) => {
    const host = hostnameOf(request.header('host') ?? new URL(request.url).host);
    if (host === undefined || !(isOurs(host) || (allowsAddresses && isAddress(host)))) {
      throw new MemoryError('forbidden', 'Host not allowed', { hint: 'Allow the name with ENGRAPH_ALLOWED_HOSTS.' });
    }
    const origin = request.header('origin');
    if (origin !== undefined && !isAllowedOrigin(hostnameOf(WEB_ORIGIN.exec(origin)?.[1] ?? ''), host, isOurs)) {
      throw new MemoryError('forbidden', 'Origin not allowed');
    }
    await next();
  };
}

/**
 * Refuses to put memories on a network without a token (decisions D37).
 *
 * @throws MemoryError `forbidden`
 */
export function assertSafeToListen(host: string, apiToken: string | undefined): void {
  const hostname = hostnameOf(host);
  if (apiToken || (hostname !== undefined && isLoopback(hostname))) return;
  throw new MemoryError(
    'forbidden',
    `Refusing to listen on '${host}' without an API token: anyone could read the memory`,
    {
      hint: 'Set SERVICE_API_TOKEN, or listen on 127.0.0.1.',
    },
  );
}

/** Any address may be a host of ours, but as an origin only the very one that is being addressed. */
function isAllowedOrigin(origin: string | undefined, host: string, isOurs: (hostname: string) => boolean): boolean {
  return origin !== undefined && (isOurs(origin) || origin === host);
}

/** The host of `host[:port]` in the one form that a URL gives it; undefined when it is no such thing. */
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
