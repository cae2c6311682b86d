/** Who opened a connection, by the tables of sockets of Linux (data in tables.json). */
import { endianness } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createOwnerLookup, type TableName } from '../../../src/http/connection-owner.js';
import data from './tables.json' with { type: 'json' };

const tableOf = (name: TableName, lines: readonly string[] = data[name]) =>
  Buffer.from(`${[data.heading, ...lines].join('\n')}\n`);

const ends = (
  [remoteAddress, remotePort]: readonly [string, number],
  localAddress = '127.0.0.1',
  localPort = 8001,
) => ({
  localAddress,
  localPort,
  remoteAddress,
  remotePort,
});

// The kernel of a big-endian machine prints addresses in another order.
describe.skipIf(endianness() === 'BE')('the owner of a connection', () => {
  test.each(data.connections)('is found for $case', async ({ remote, local, port, owner }) => {
    const ownerOf = createOwnerLookup(async name => tableOf(name));
    expect(await ownerOf(ends(remote as [string, number], local, port))).toEqual(owner);
  });

  test('is unknown if the system has no tables', async () => {
    const ownerOf = createOwnerLookup(() => Promise.reject(new Error('ENOENT')));
    expect(await ownerOf(ends(['127.0.0.1', 51206]))).toBe('unknown');
  });

  test('is closed if the connection was closed while the table was read', async () => {
    const closed = data.tcp.filter(line => !line.includes(':C80A'));
    let reads = 0;
    const ownerOf = createOwnerLookup(async name => {
      if (name === 'tcp') reads += 1;
      return tableOf(name, name === 'tcp' && reads > 1 ? closed : data[name]);
    });
    expect(await ownerOf(ends(['127.0.0.1', 51210]))).toBe('closed');
  });

  test('costs at most one read at a time, and one more for all connections that wait', async () => {
    let [running, most, reads] = [0, 0, 0];
    const ownerOf = createOwnerLookup(async name => {
      reads += 1;
      running += 1;
      most = Math.max(most, running);
      await new Promise(resolve => setImmediate(resolve));
      running -= 1;
      return tableOf(name);
    });
    const asked = Array.from({ length: 100 }, () => ownerOf(ends(['127.0.0.1', 51206])));
    await new Promise(resolve => setImmediate(resolve));
    asked.push(ownerOf(ends(['127.0.0.1', 51206])));
    expect(new Set((await Promise.all(asked)).map(owner => JSON.stringify(owner)))).toEqual(new Set(['{"uid":1001}']));
    expect([most, reads]).toEqual([1, 2]);
  });
});
