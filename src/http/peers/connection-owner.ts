/** Finds out which user of this machine opened a connection, where the system tells (Linux). */
import { readFile } from 'node:fs/promises';
import { ESTABLISHED, hasListener, parseSocketTable, type SocketTable, tableForms } from './socket-table.js';

/** The ends of a connection, as Node names them in the process that accepted it. */
export interface ConnectionEnds {
  localAddress: string;
  localPort: number;
  remoteAddress: string;
  remotePort: number;
}

/**
 * The user who opened a connection; `closed` if that user has closed the connection already, so that nobody can tell;
 * `unknown` if the system does not tell, as when the other end is on another machine.
 */
export type ConnectionOwner = { uid: number } | 'closed' | 'unknown';

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
