/** `engraph export` and `engraph import`, also while another process has the memory open. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverMemoryFile } from '../transfer/foreign-files.js';
import { runInProcess } from './in-process.js';
import { spawnEngraph, spawnServe, temporaryFolder } from './spawned-engraph.js';

/** Each test runs up to eight commands one after the other, which takes long on a busy machine. */
const TIMEOUT_MS = 60_000;

const run = (folder: string, ...args: string[]) => runInProcess([...args, '--data-dir', folder]);

describe('engraph export and engraph import', () => {
  it('copy a memory to another folder while a service has the memory open', { timeout: TIMEOUT_MS }, async () => {
    const folder = await temporaryFolder();
    const served = await temporaryFolder();
    const service = await spawnServe(served);
    await fetch(`${service.url}/memory/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ content: 'Ann prefers tea.' }, { content: 'Deploys run on Tuesdays.' }]),
    });
    const file = join(folder, 'memory.jsonl');
    const exported = await run(served, 'export', file);
    expect(exported).toMatchObject({ code: 0, stdout: '' });
    expect(exported.stderr).toContain(`Exported to ${file}: 2 memories, `);
    expect(statSync(file).mode & 0o077).toBe(0);
    const target = join(folder, 'target');
    const tried = await run(target, 'import', file, '--dry-run');
    expect([tried.code, tried.stdout]).toEqual([0, expect.stringContaining('memories: 2 new')]);
    expect(tried.stdout).toContain('Nothing was written. To import this, ');
    expect(existsSync(target)).toBe(false);
    const imported = await run(target, 'import', file);
    expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining('compared: 2 memories equal')]);
    const again = await run(target, 'import', file, '--dry-run');
    expect(again.stdout).toContain('Nothing was written. An import would change nothing.');
    const streamed = await run(target, 'export', '-');
    const memories = (text: string) => [...text.matchAll(/"content":"([^"]+)"/g)].map(([, content]) => content).sort();
    expect(memories(streamed.stdout)).toEqual(memories(readFileSync(file, 'utf8')));
  });

  it('import the file of another program only once, and list its content with --dry-run', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const folder = await temporaryFolder();
    const file = serverMemoryFile(folder);
    const data = join(folder, 'data');
    const tried = await run(data, 'import', file, '--dry-run');
    expect(tried).toMatchObject({ code: 0, stdout: expect.stringMatching(/^observations {2}3 .*\d{4}-\d{2}-\d{2}/m) });
    expect(tried.stdout).toContain(
      'relations left out: 1, because the record leads from or to an entity that is not in the file',
    );
    expect((await run(data, 'import', file)).stdout).toContain('memories: 6 new');
    expect((await run(data, 'import', file, '--from', 'server-memory')).stdout).toContain('memories: 0 new, 0 updated');
    expect(await run(data, 'import', file, '--from', 'elsewhere')).toMatchObject({ code: 2 });
    expect(await run(data, 'import', 'http://127.0.0.1:9')).toMatchObject({ code: 2 });
  });

  it('end with one sentence when the reader of stdout stops early', { timeout: TIMEOUT_MS }, async () => {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    const entities = Array.from({ length: 200 }, (_, index) => ({
      type: 'entity',
      name: `entity ${index}`,
      entityType: 'note',
      observations: [`${index} ${'long '.repeat(300)}`],
    }));
    writeFileSync(join(folder, 'memory.jsonl'), entities.map(entity => `${JSON.stringify(entity)}\n`).join(''));
    expect((await run(data, 'import', join(folder, 'memory.jsonl'))).code).toBe(0);
    const { child, ended, output } = spawnEngraph(['export', '-', '--data-dir', data]);
    child.stdout.destroy();
    expect((await ended).code).toBe(1);
    expect(output.stderr).toBe('engraph: The reader closed the output, so the export is incomplete.\n');
  });

  it('refuse a file of an unknown version, a missing file and wrong arguments, and say why', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'x.jsonl');
    writeFileSync(file, '{"engraph_export":{"version":9}}\n');
    expect(await run(folder, 'import', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('version 9') });
    expect(await run(folder, 'import', join(folder, 'absent'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no file'),
    });
    expect(await run(folder, 'export')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'export' needs <file>"),
    });
    expect(await run(folder, 'export', file, '--since', 'soon')).toMatchObject({ code: 2 });
  });
});
