/**
 * Finds out which user of this machine opened a connection, where the system tells (Linux), and refuses other users
 * while the service has no token (docs/decisions.md, "Other users of the machine").
 */
import { readFile } from 'node:fs/promises';
import { isIPv4, Socket } from 'node:net';
import { endianness } from 'node:os';
import type { Context, MiddlewareHandler } from 'hono';
import { MemoryError } from '../domain/errors.js';
import { OPEN_PATHS } from './guards.js';

/** The ends of a connection, as Node names them in the process that accepted it. */
interface ConnectionEnds {
  localAddress: string;
  localPort: number;
  remoteAddress: string;
  remotePort: number;
}

/**
 * The user who opened a connection; `closed` if that user has closed the connection already, so that nobody can tell;
 * `unknown` if the system does not tell, as when the other end is on another machine.
 */
type ConnectionOwner = { uid: number } | 'closed' | 'unknown';

export type OwnerLookup = (ends: ConnectionEnds) => Promise<ConnectionOwner>;

export type TableName = 'tcp' | 'tcp6';

/**
 * The tables of a busy machine have thousands of lines, so at most one read of each is under way, and all connections
 * that wait for the next one share it.
 *
 * @param readTable reads a table of sockets; rejects if the system has none
 */
export function createOwnerLookup(
  readTable: (name: TableName) => Promise<Buffer> = name => readFile(`/proc/net/${name}`),
): OwnerLookup {
  const tables = { tcp: createSharedRead(() => readTable('tcp')), tcp6: createSharedRead(() => readTable('tcp6')) };
  const look = (ends: ConnectionEnds) => lookOnce(ends, (name, port) => tables[name](port));
  return async ends => {
    const owner = await look(ends);
    // The other end may have been closed while the table was read. If this end is still established in a later
    // table, the other end was there all the time, and the tables do not show it.
    return owner === 'unseen' && (await look(ends)) === 'closed' ? 'closed' : settled(owner);
  };
}

function settled(owner: ConnectionOwner | 'unseen'): ConnectionOwner {
  return owner === 'unseen' ? 'unknown' : owner;
}

async function lookOnce(
  { localAddress, localPort, remoteAddress, remotePort }: ConnectionEnds,
  tableOf: (name: TableName, port: number) => Promise<SocketTable | undefined>,
): Promise<ConnectionOwner | 'unseen'> {
  const ours = tableForms(localAddress, localPort);
  const theirs = tableForms(remoteAddress, remotePort);
  let isListed = false;
  let isEstablished = false;
  // An IPv4 address has two forms, because its socket may be in either table.
  for (const name of ours.length > 1 ? (['tcp', 'tcp6'] as const) : (['tcp6'] as const)) {
    const table = await tableOf(name, localPort);
    if (table === undefined) continue;
    for (const [form, their] of theirs.entries()) {
      const client = table.get(`${their} ${ours[form]}`);
      if (client) return client.isOpen ? { uid: client.uid } : 'closed';
      isEstablished ||= table.get(`${ours[form]} ${their}`)?.state === ESTABLISHED;
    }
    isListed ||= hasListener(table);
  }
  if (isEstablished) return 'unseen';
  return isListed ? 'closed' : 'unknown';
}

/** Returns a function that resolves with a table read after the call. Undefined if it cannot be read. */
function createSharedRead(read: () => Promise<Buffer>): (port: number) => Promise<SocketTable | undefined> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Buffer | undefined> | undefined;
  const parsed = new WeakMap<Buffer, SocketTable>();
  return async port => {
    next ??= running.then(() => {
      next = undefined;
      const reading = read().catch(() => undefined);
      running = reading;
      return reading;
    });
    const bytes = await next;
    if (bytes === undefined) return undefined;
    const table = parsed.get(bytes) ?? parseSocketTable(bytes, port);
    parsed.set(bytes, table);
    return table;
  };
}

export interface SocketEntry {
  /** State of the connection in hexadecimal digits, such as `01` for an established one. */
  state: string;
  /** Id of the user who opened the socket. */
  uid: number;
  /** Whether a process still has the socket. The kernel shows user 0 for a socket that its process has closed. */
  isOpen: boolean;
}

/** The sockets of one port, by their own address and the address at the other end. */
type SocketTable = ReadonlyMap<string, SocketEntry>;

const ESTABLISHED = '01';
const LISTENING = '0A';
const NO_ADDRESS = /^0+:0000$/;

/** Returns the sockets with this port at either end. */
function parseSocketTable(table: Buffer, port: number): SocketTable {
  const entries = new Map<string, SocketEntry>();
  const needle = `:${portInHex(port)} `;
  let end = 0;
  for (let at = table.indexOf(needle); at >= 0; at = table.indexOf(needle, end)) {
    const start = table.lastIndexOf('\n', at) + 1;
    const lineEnd = table.indexOf('\n', at);
    end = lineEnd < 0 ? table.length : lineEnd;
    // Columns: number, own address, other address, state, queues, timer, retransmissions, user, timeout, inode.
    const [, own, other, state, , , , uid, , inode] = table.toString('latin1', start, end).trim().split(/\s+/);
    if (inode === undefined) continue;
    entries.set(`${own} ${other}`, { state: state ?? '', uid: Number(uid), isOpen: inode !== '0' });
  }
  return entries;
}

function hasListener(table: SocketTable): boolean {
  return [...table].some(([ends, { state }]) => state === LISTENING && NO_ADDRESS.test(ends.split(' ')[1] ?? ''));
}

/** The forms in which the tables show an address. An IPv4 address may be that of an IPv6 socket. */
function tableForms(address: string, port: number): string[] {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const hex = portInHex(port);
  if (!isIPv4(plain)) return [`${inWords(bytesOfIPv6(plain))}:${hex}`];
  const bytes = plain.split('.').map(Number);
  const mapped = [...Array<number>(10).fill(0), 0xff, 0xff, ...bytes];
  return [bytes, mapped].map(each => `${inWords(each)}:${hex}`);
}

function portInHex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/** The kernel prints an address as numbers of 32 bits in the byte order of the machine. */
function inWords(bytes: readonly number[]): string {
  const words = Array.from({ length: bytes.length / 4 }, (_, word) => bytes.slice(word * 4, word * 4 + 4));
  const printed = words.map(word => (endianness() === 'LE' ? word.toReversed() : word));
  return Buffer.from(printed.flat()).toString('hex').toUpperCase();
}

/** @param address in the form that Node gives to addresses, such as `fe80::1%eth0` */
function bytesOfIPv6(address: string): number[] {
  const [before = '', after = ''] = (address.split('%')[0] ?? '').split('::');
  const [left, right] = [before, after].map(part => (part === '' ? [] : part.split(':')));
  const missing = Math.max(0, 8 - (left?.length ?? 0) - (right?.length ?? 0));
  const groups = [...(left ?? []), ...Array<string>(missing).fill('0'), ...(right ?? [])].map(group =>
    parseInt(group, 16),
  );
  return groups.flatMap(group => [(group >> 8) & 0xff, group & 0xff]);
}

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
