/** Reads the tables of sockets that Linux shows in `/proc/net/tcp` and `/proc/net/tcp6`. */
import { isIPv4 } from 'node:net';
import { endianness } from 'node:os';

export interface SocketEntry {
  /** State of the connection in hexadecimal digits, such as `01` for an established one. */
  state: string;
  /** Id of the user who opened the socket. */
  uid: number;
  /** Whether a process still has the socket. The kernel shows user 0 for a socket that its process has closed. */
  isOpen: boolean;
}

/** The sockets of one port, by their own address and the address at the other end. */
export type SocketTable = ReadonlyMap<string, SocketEntry>;

export const ESTABLISHED = '01';
const LISTENING = '0A';
const NO_ADDRESS = /^0+:0000$/;

/** Returns the sockets with this port at either end. */
export function parseSocketTable(table: Buffer, port: number): SocketTable {
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

export function hasListener(table: SocketTable): boolean {
  return [...table].some(([ends, { state }]) => state === LISTENING && NO_ADDRESS.test(ends.split(' ')[1] ?? ''));
}

/** The forms in which the tables show an address. An IPv4 address may be that of an IPv6 socket. */
export function tableForms(address: string, port: number): string[] {
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
