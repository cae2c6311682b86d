/** The settings of a FalkorDB store, and how its address is read. */
import { MemoryError } from '../../domain/errors.js';

export interface FalkorSettings {
  /**
   * The address: `scheme://[[user][:password]@]host[:port][/database]` or `unix:///path/of/socket`. The scheme is
   * `falkor` or `redis`, with TLS `falkors` or `rediss`. The address may be a server, a Sentinel or any node of
   * a cluster: the client detects which.
   */
  url: string;
  /** Overrides the user name in the url. */
  username?: string;
  /** Overrides the password in the url. */
  password?: string;
  /** Key of the graph: letters, digits, `_`, `-`, `.` and `:`, at most 128 characters. */
  graph: string;
  /**
   * Name shared by processes that never run at the same time, such as the owners of one data folder; `reclaim` releases
   * the claims of earlier processes with this name.
   */
  owner?: string;
  /** Time limit for one call, including connecting. A connection without data for twice this time counts as broken. */
  timeoutMs: number;
  /**
   * Called with every statement before it is sent, for tests and tracing. The function never receives the values of
   * parameters.
   */
  onStatement?(statement: string): void;
}

/** The address in the form that the client expects. */
export interface Address {
  socket: { path: string } | { host: string; port: number; tls?: true };
  username?: string;
  password?: string;
  database?: number;
  /** The address in a form for people to read, without a password. */
  display: string;
}

const GRAPH_NAME = /^[\w.:-]{1,128}$/;
const IS_TLS_BY_PROTOCOL: Record<string, boolean> = {
  'falkor:': false,
  'redis:': false,
  'falkors:': true,
  'rediss:': true,
};

/** @throws MemoryError `invalid` when the name is empty, too long or contains a character that is not allowed */
export function checkGraphName(name: string): string {
  if (GRAPH_NAME.test(name)) return name;
  throw new MemoryError('invalid', "The name of the graph must have 1 to 128 letters, digits, '_', '-', '.' or ':'");
}

/**
 * Parses the url. The client receives the parts and not the url. With the url, the client would ignore the address that
 * a Sentinel names.
 *
 * @throws MemoryError `invalid` when the url is malformed; the message does not repeat the url, because the url may
 * contain a password
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
    throw new MemoryError('invalid', 'The address of FalkorDB must have the form falkor://[user:password@]host[:port]');
  }
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(parsed.port || 6379);
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
    throw new MemoryError('invalid', "In the address of FalkorDB, write a '%' as '%25'");
  }
}
