/** What a FalkorDB store is opened with, and how its address reads. */
import { MemoryError } from '../../domain/errors.js';

export interface FalkorSettings {
  /**
   * `falkor://`, `redis://`, or with TLS `falkors://`, `rediss://`, each as `[[user][:password]@]host[:port][/database]`; or
   * `unix:///path/of/socket`. It may be a server, a Sentinel or any node of a cluster: the client finds out which.
   */
  url: string;
  /** Wins over the one in the url. */
  username?: string;
  /** Wins over the one in the url. */
  password?: string;
  /** Key of the graph: letters, digits, `_`, `-`, `.` and `:`, at most 128. */
  graph: string;
  /** Who this process is one of; what earlier ones have claimed, `reclaim` frees. Two of them never run at once. */
  owner?: string;
  /** For one call, connecting included; also the longest that a connection may be silent before it is given up. */
  timeoutMs: number;
  /** Told when the server has been reached, and when it is lost or cannot be reached (once for each loss). */
  onConnectionChange?(change: ConnectionChange): void;
  /** Told of every statement before it is sent, for tests and tracing. It never sees what the parameters hold. */
  onStatement?(statement: string, access: 'read' | 'write'): void;
}

export type ConnectionChange = { isConnected: true } | { isConnected: false; reason: string };

/** Where to connect to, as the client wants it. */
export interface Address {
  socket: { path: string } | { host: string; port: number; tls?: true };
  username?: string;
  password?: string;
  database?: number;
  /** For people: never holds a password. */
  display: string;
}

const DEFAULT_PORT = 6379;
const GRAPH_NAME = /^[\w.:-]{1,128}$/;
const IS_TLS_BY_PROTOCOL: Record<string, boolean> = {
  'falkor:': false,
  'redis:': false,
  'falkors:': true,
  'rediss:': true,
};

/** @throws MemoryError `invalid` when the name could not be told from another key or does not read well */
export function checkGraphName(name: string): string {
  if (GRAPH_NAME.test(name)) return name;
  throw new MemoryError('invalid', "The name of the graph must be of letters, digits, '_', '-', '.' and ':'");
}

/**
 * Takes the url apart. It is not left to the client, which would prefer it to the address that a Sentinel names.
 *
 * @throws MemoryError `invalid` when it is no such url; the message does not repeat it, since it may hold a password
 */
export function addressOf({ url, username, password }: FalkorSettings): Address {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const given = {
    ...credentials(username, parsed?.username, 'username'),
    ...credentials(password, parsed?.password, 'password'),
  };
  if (parsed?.protocol === 'unix:' && parsed.pathname.length > 1) {
    const path = decodeURIComponent(parsed.pathname);
    return { ...given, socket: { path }, display: path };
  }
  const isTls = IS_TLS_BY_PROTOCOL[parsed?.protocol ?? ''];
  const database = /^\/(\d{0,4})$/.exec(parsed?.pathname || '/')?.[1];
  if (!parsed?.hostname || isTls === undefined || database === undefined) {
    throw new MemoryError('invalid', 'The address of FalkorDB must read as falkor://[user:password@]host[:port]');
  }
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = parsed.port === '' ? DEFAULT_PORT : Number(parsed.port);
  return {
    ...given,
    socket: { host, port, ...(isTls && { tls: true as const }) },
    ...(database !== '' && { database: Number(database) }),
    display: `${parsed.hostname}:${port}`,
  };
}

function credentials(given: string | undefined, inUrl: string | undefined, name: 'username' | 'password') {
  const value = given ?? (inUrl ? decoded(inUrl) : undefined);
  return value === undefined || value === '' ? {} : { [name]: value };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new MemoryError('invalid', "In the address of FalkorDB a '%' must stand as '%25'");
  }
}
