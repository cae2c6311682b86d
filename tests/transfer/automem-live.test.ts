/** A running AutoMem is imported from the backup that it serves, a compressed tar file. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { create } from 'tar';
import { describe, expect, onTestFinished, test } from 'vitest';
import { linesOfSource } from '../../src/transfer/import-records.js';
import { openSource, recognize } from '../../src/transfer/recognize.js';
import { fetchBackup } from '../../src/transfer/sources/automem.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testLimits } from '../support/test-limits.js';
import { AUTOMEM_IDS, automemGraph } from './foreign-files.js';

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise(resolve => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function backup(): Promise<Buffer> {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  mkdirSync(join(folder.path, 'falkordb'));
  writeFileSync(join(folder.path, 'falkordb', 'falkordb_1.json.gz'), gzipSync(JSON.stringify(automemGraph())));
  const path = join(folder.path, 'backup.tar.gz');
  await create({ file: path, cwd: folder.path, gzip: true }, ['falkordb']);
  return readFileSync(path);
}

describe('a running AutoMem', () => {
  test('serves its backup to a request with the admin token, and the fetched file can be removed', async () => {
    const bytes = await backup();
    const asked: unknown[] = [];
    const url = await serving((request, response) => {
      asked.push([request.url, request.headers['x-admin-token']]);
      response.end(bytes);
    });
    const { path, remove } = await fetchBackup(url, 'adm1n');
    expect(asked).toEqual([['/backup?include=falkordb', 'adm1n']]);
    expect(await recognize(path)).toBe('automem');
    const ids: string[] = [];
    for await (const each of linesOfSource(await openSource('automem', path), testLimits())) {
      if ('record' in each) ids.push(each.record.memory.id);
    }
    expect(ids).toEqual([...AUTOMEM_IDS]);
    await remove();
    expect(existsSync(path)).toBe(false);
  });

  test('that refuses, redirects or breaks off causes an error that says so', async () => {
    const refusing = await serving((_, response) => response.writeHead(401).end());
    await expect(fetchBackup(refusing, undefined)).rejects.toMatchObject({
      message: expect.stringContaining('answered 401'),
      hint: expect.stringContaining('AUTOMEM_ADMIN_TOKEN'),
    });
    const leading = await serving((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1' }).end());
    await expect(fetchBackup(leading, 'adm1n')).rejects.toThrow('answered 302');
    const breaking = await serving((request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => request.destroy());
    });
    await expect(fetchBackup(breaking, 'adm1n')).rejects.toThrow('was interrupted');
  });
});
