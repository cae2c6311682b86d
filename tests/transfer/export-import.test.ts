/** An export writes all data to one file, and an import of this file restores the data unchanged. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MemoryLine } from '../../src/api/transfer-records.js';
import { EXPORTED_KINDS } from '../../src/domain/transfer.js';
import { readOnly } from '../../src/engine/read-only.js';
import { NODE_KINDS } from '../../src/stores/ports/node-store.js';
import { type ExportLinesParts, exportToFile } from '../../src/transfer/export-lines.js';
import { importFile, type TransferClient } from '../../src/transfer/import-file.js';
import { axis } from '../engine/open-engine.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { clientOf, emptyMemory, filledMemory } from './filled.js';

function fileInFolder(name = 'memory.jsonl'): string {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return join(folder.path, name);
}

const header = { version: 1, exported_at: '2026-03-01T12:00:00.000Z', engraph: '0.0.0' };
const exporting = (client: TransferClient, since?: string): ExportLinesParts => ({
  readPage: client.exportPage,
  header: { ...header, ...(since !== undefined && { since }) },
  onProgress: () => {},
});
const importing = (client: TransferClient, isDryRun = false) => ({ client, isDryRun, onProgress: () => {} });

async function exported(client: TransferClient, since?: string): Promise<string> {
  const path = fileInFolder();
  await exportToFile(path, exporting(client, since));
  return path;
}

const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

describe('an export', () => {
  test('is imported unchanged into an empty engine, and the export of that engine has the same lines', async () => {
    const { client, count, ids } = await filledMemory();
    const path = await exported(client);
    const target = await emptyMemory();
    const { file, comparison, counts } = await importFile(path, importing(target.client));
    expect(file).toMatchObject({ memories: count, nodes: EXPORTED_KINDS.length });
    expect(comparison).toEqual({ equal: count, kept: 0, differing: [] });
    expect(counts.edges).toMatchObject({ updated: 0, unchanged: 0, kept: 0, left_out: 0 });
    expect(linesOf(await exported(target.client))).toEqual(linesOf(path));
    await target.test.engine.idle();
    const { relations } = await target.test.engine.get(ids.first);
    expect(relations).toContainEqual(expect.objectContaining({ type: 'PREFERS_OVER', strength: 0.7, reason: 'so' }));
    expect(await target.test.engine.health()).toMatchObject({ graph: { memoryCount: count }, consistency: 'inSync' });
    const nearest = await target.test.recall({ embedding: axis(9), limit: 1 });
    expect(nearest.results.map(({ memory }) => memory.id)).toEqual([ids.supplied]);
    expect(await target.test.found({ query: 'Redis', limit: 1 })).toEqual(['Anna uses Redis']);
  });

  test('contains nodes of every kind, including deleted memories, but no lease', async () => {
    expect([...EXPORTED_KINDS]).toEqual([...NODE_KINDS]);
    const { client } = await filledMemory();
    const path = await exported(client);
    const nodes = linesOf(path).flatMap(line => JSON.parse(line).node ?? []);
    expect(nodes.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...EXPORTED_KINDS]));
    expect(readFileSync(path, 'utf8')).not.toContain('lease:');
  });

  test('restores the history of an edit, but not the history of a memory that the file does not contain', async () => {
    const { test: source, client } = await emptyMemory();
    const [kept, gone] = [await source.add({ content: 'first' }), await source.add({ content: 'secret' })];
    for (const id of [kept, gone]) await source.patch(id, { content: 'second' });
    const { records: nodes } = await client.exportPage({ part: 'nodes', after: 'MemoryHistory/' });
    const { records: memories } = await client.exportPage();
    const wanted = memories.filter(record => 'memory' in record && record.memory.id === kept);
    const { test: target, client: targetClient } = await emptyMemory();
    await targetClient.importPage({ records: [...nodes, ...wanted], last: true });
    expect(await target.engine.history(kept)).toEqual(await source.engine.history(kept));
    expect((await target.engine.restoreVersion(kept, 1)).content).toBe('first');
    expect(readFileSync(await exported(targetClient), 'utf8')).not.toContain('secret');
  });

  test('keeps every id that a caller may give, also one without the digits of a version', async () => {
    const { test: source, client } = await emptyMemory();
    const id = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
    await source.add({ id, content: 'The kettle is new.' });
    const target = await emptyMemory();
    const { comparison } = await importFile(await exported(client), importing(target.client));
    expect(comparison).toEqual({ equal: 1, kept: 0, differing: [] });
    expect((await target.test.engine.get(id)).memory.content).toBe('The kettle is new.');
  });

  test('changes nothing when it is imported a second time', async () => {
    const { client, count } = await filledMemory();
    const path = await exported(client);
    const target = await emptyMemory();
    await importFile(path, importing(target.client));
    const { counts, comparison } = await importFile(path, importing(target.client));
    expect(counts.memories).toEqual({ created: 0, updated: 0, unchanged: count, kept: 0 });
    expect([counts.nodes.created, counts.nodes.updated, counts.edges.created, counts.edges.updated]).toEqual([
      0, 0, 0, 0,
    ]);
    expect(comparison?.differing).toEqual([]);
  });

  test('does not overwrite memories that were changed in the target, when it is imported a second time', async () => {
    const { client, ids, count } = await filledMemory();
    const path = await exported(client);
    const target = await emptyMemory();
    await importFile(path, importing(target.client));
    target.test.clock.advance(86_400_000);
    await target.test.patch(ids.first, { content: 'Anna uses Valkey' });
    const { counts, comparison } = await importFile(path, importing(target.client));
    expect(counts.memories).toEqual({ created: 0, updated: 0, unchanged: count - 1, kept: 1 });
    expect(comparison).toEqual({ equal: count - 1, kept: 1, differing: [] });
    expect((await target.test.engine.get(ids.first)).memory.content).toBe('Anna uses Valkey');
  });

  test('that is imported again updates changed memories, and keeps the vector if the text is unchanged', async () => {
    const { test: source, client, ids, count } = await filledMemory();
    const target = await emptyMemory();
    await importFile(await exported(client), importing(target.client));
    await target.test.engine.idle();
    source.clock.advance(86_400_000);
    await source.patch(ids.first, { importance: 0.2 });
    await source.patch(ids.second, { content: 'Ben left in June' });
    const { counts, comparison } = await importFile(await exported(client), importing(target.client));
    expect(counts.memories).toMatchObject({ updated: 2, created: 0 });
    expect(comparison).toMatchObject({ differing: [] });
    expect((await target.test.engine.get(ids.first)).memory).toMatchObject({
      importance: 0.2,
      embedded_by: 'hash-v3-64',
    });
    await target.test.engine.idle();
    expect(await target.test.engine.health()).toMatchObject({ graph: { memoryCount: count }, consistency: 'inSync' });
  });

  test('with --since contains only changed memories, and its import leaves out edges to absent memories', async () => {
    const { test: source, client, ids } = await filledMemory();
    source.clock.advance(86_400_000);
    await source.patch(ids.first, { importance: 0.2 });
    const path = await exported(client, '2026-03-02T00:00:00.000Z');
    expect(linesOf(path).flatMap(line => JSON.parse(line).memory?.id ?? [])).toEqual([ids.first]);
    const target = await emptyMemory();
    const { counts, comparison } = await importFile(path, importing(target.client));
    expect(comparison).toMatchObject({ equal: 1, differing: [] });
    expect(counts.edges.left_out).toBeGreaterThan(0);
  });

  test('imported as a dry run counts the memories without writing them', async () => {
    const { client, count } = await filledMemory();
    const path = await exported(client);
    const target = await emptyMemory();
    const { counts, comparison } = await importFile(path, importing(target.client, true));
    expect(counts.memories).toEqual({ created: count, updated: 0, unchanged: 0, kept: 0 });
    expect(comparison).toBeUndefined();
    expect((await target.test.engine.health()).graph).toMatchObject({ memoryCount: 0 });
  });

  test('brings its supplied vectors also for memories that it changes', async () => {
    const { client, ids } = await filledMemory();
    const path = await exported(client);
    const target = await emptyMemory();
    await target.test.add({ id: ids.supplied, content: 'an older wording', timestamp: '2020-01-01' });
    target.test.clock.advance(-86_400_000);
    const { counts } = await importFile(path, importing(target.client));
    expect(counts.memories).toMatchObject({ updated: 1 });
    await target.test.engine.idle();
    const nearest = await target.test.recall({ embedding: axis(9), limit: 1 });
    expect(nearest.results.map(({ memory }) => memory.id)).toEqual([ids.supplied]);
  });

  test('that was interrupted leaves the export before it in place, and starts anew with what is stored by then', async () => {
    const { test: source, client, ids } = await filledMemory(300);
    const path = await exported(client);
    const before = readFileSync(path, 'utf8');
    let pages = 0;
    const breaking: TransferClient = {
      ...client,
      exportPage: query => {
        if (query?.part === 'memories' && ++pages > 1) throw new Error('the power failed');
        return client.exportPage(query);
      },
    };
    await expect(exportToFile(path, exporting(breaking))).rejects.toThrow('the power failed');
    expect(readFileSync(path, 'utf8')).toBe(before);
    source.clock.advance(86_400_000);
    for (const id of Object.values(ids)) await source.patch(id, { importance: 0.2 });
    // The power may also fail in the middle of a line.
    writeFileSync(`${path}.partial`, `${readFileSync(`${path}.partial`, 'utf8')}{"memory":{"id":"0000`);
    expect(await exportToFile(path, exporting(client))).toMatchObject({ isReplaced: true });
    expect(readFileSync(path, 'utf8')).toBe(readFileSync(await exported(client), 'utf8'));
    expect(existsSync(`${path}.partial`)).toBe(false);
  });

  test('does not overwrite a file that is not an export', async () => {
    const { client } = await emptyMemory();
    const path = fileInFolder('thesis.txt');
    writeFileSync(path, 'three years of work');
    await expect(exportToFile(path, exporting(client))).rejects.toThrow(
      'is not an export of Engraph; it was left as it is',
    );
    expect(readFileSync(path, 'utf8')).toBe('three years of work');
  });
});

describe('an import that is interrupted', () => {
  test('can be started again, and then restores all memories unchanged', async () => {
    const { client, count } = await filledMemory(300);
    const path = await exported(client);
    const target = await emptyMemory();
    let pages = 0;
    const breaking: TransferClient = {
      ...target.client,
      importPage: page =>
        ++pages > 1 ? Promise.reject(new Error('the power failed')) : target.client.importPage(page),
    };
    await expect(importFile(path, importing(breaking))).rejects.toThrow('the power failed');
    const { counts, comparison } = await importFile(path, importing(target.client));
    expect(counts.memories.unchanged).toBeGreaterThan(0);
    expect(comparison).toEqual({ equal: count, kept: 0, differing: [] });
  });
});

describe('a broken file', () => {
  const broken: [string, (lines: string[]) => string[], string][] = [
    ['without its last line', lines => lines.slice(0, -1), 'The file was cut off: its last line is missing'],
    ['cut in the middle of a line', lines => [...lines.slice(0, 20), '{"memory":{"id'], 'Line 21 is not valid JSON'],
    [
      'with a changed line',
      lines => lines.map(line => line.replace('note 7', 'note 8')),
      'its checksum does not match',
    ],
    ['without a line in the middle', lines => lines.toSpliced(40, 1), 'its checksum does not match'],
    [
      'with a wrong type',
      lines => lines.with(30, (lines[30] ?? '').replace(/"importance":[\d.]+/, '"importance":"much"')),
      "Line 31 cannot be read: 'memory.importance'",
    ],
    [
      'with an unknown key',
      lines => lines.with(30, (lines[30] ?? '').replace('"importance"', '"colour":"red","importance"')),
      "Line 31 cannot be read: 'colour' is not a known field of 'memory'",
    ],
    ['with a line twice', lines => lines.toSpliced(31, 0, lines[30] ?? ''), 'Line 32 has the id'],
    ['with something behind its end', lines => [...lines, '{}'], 'follows the end of the export'],
    ['of a later version', lines => lines.with(0, '{"engraph_export":{"version":2}}'), 'has version 2 of the format'],
    ['without a first line', lines => lines.slice(1), 'The file is not an export of Engraph'],
  ];
  test.each(broken)('%s is refused, and nothing is written', async (_, change, message) => {
    const { client } = await filledMemory();
    const path = await exported(client);
    writeFileSync(
      path,
      change(linesOf(path))
        .map(line => `${line}\n`)
        .join(''),
    );
    const target = await emptyMemory();
    await expect(importFile(path, importing(target.client))).rejects.toThrow(message);
    expect((await target.test.engine.health()).graph).toMatchObject({ memoryCount: 0 });
  });

  test('with bytes that are not UTF-8, or with a line of 17 MB, is refused with the number of the line', async () => {
    const { client } = await emptyMemory();
    const path = fileInFolder();
    const first = '{"engraph_export":{"version":1,"exported_at":"x","engraph":"x"}}\n';
    writeFileSync(path, Buffer.concat([Buffer.from(first), Buffer.from([0x22, 0xff, 0x22, 0x0a])]));
    await expect(importFile(path, importing(client))).rejects.toThrow('Line 2 is not text in UTF-8');
    writeFileSync(path, `${first}"${'x'.repeat(17 * 1_048_576)}"\n`);
    await expect(importFile(path, importing(client))).rejects.toThrow('Line 2 is longer than 16777216 bytes');
  });

  test('whose line was written like that is not reported as changed', async () => {
    const { client } = await filledMemory();
    const path = fileInFolder();
    const unknown: TransferClient['exportPage'] = async query => {
      const page = await client.exportPage(query);
      return { ...page, records: page.records.map(record => ({ ...record, colour: 'red' })) };
    };
    await exportToFile(path, exporting({ ...client, exportPage: unknown }));
    const target = await emptyMemory();
    const refused = await importFile(path, importing(target.client)).catch(error => String(error));
    expect(refused).toContain("'colour' is not a known field");
    expect(refused).not.toContain('checksum');
  });

  test('with a lease, or with properties that nest too deep, is refused', async () => {
    const { client } = await emptyMemory();
    const node = {
      kind: 'ConsolidationControl',
      id: 'lease:maintenance',
      properties: {},
      updated_at: header.exported_at,
    } as const;
    await expect(client.importPage({ records: [{ node }] })).rejects.toThrow("'node.id' must not begin with lease:");
    const path = fileInFolder();
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const record = JSON.stringify({ node: { ...node, id: 'x', properties: 'DEEP' } }).replace('"DEEP"', deep);
    writeFileSync(path, `{"engraph_export":{"version":1}}\n${record}\n`);
    await expect(importFile(path, importing(client))).rejects.toThrow(
      "Line 2 cannot be read: 'node.properties' must not nest deeper than 56 levels",
    );
  });

  test('with a vector of another size is refused with an error that names both sizes', async () => {
    const { client } = await filledMemory();
    const record = (await client.exportPage()).records.find(line => 'memory' in line && line.embedding !== undefined);
    const target = await emptyMemory();
    const shorter = { ...record, embedding: Buffer.alloc(12).toString('base64') } as never;
    await expect(target.client.importPage({ records: [shorter] })).rejects.toThrow(
      "'embedding' has 3 numbers, but this service stores vectors with 64 numbers",
    );
  });
});

describe('a record', () => {
  const someRecord = async () => {
    const { client } = await filledMemory();
    const { records } = await client.exportPage();
    return records.find(line => 'memory' in line && line.embedding !== undefined) as MemoryLine;
  };
  const vectorOf = (first: number) => {
    const numbers = Float32Array.from({ length: 64 }, (_, index) => (index === 0 ? first : 0));
    return Buffer.from(numbers.buffer).toString('base64');
  };

  test.each([0, Number.NaN, Number.POSITIVE_INFINITY])(
    'whose vector begins with %d and has no other number than zero is refused with an error that names the memory',
    async first => {
      const record = { ...(await someRecord()), embedding: vectorOf(first) };
      const { client } = await emptyMemory();
      for (const records of [[record], Array.from({ length: 8 }, () => record)]) {
        await expect(client.importPage({ records })).rejects.toMatchObject({
          message: `'embedding' of memory ${record.memory.id} must contain finite numbers, of which at least one is not zero`,
          field: 'embedding',
        });
      }
    },
  );

  test.each(['summary', 'archived_reason'])('with a NUL character in its %s is refused', async field => {
    const record = await someRecord();
    const { client } = await emptyMemory();
    const changed = { ...record, memory: { ...record.memory, [field]: 'before\0after' } };
    await expect(client.importPage({ records: [changed] })).rejects.toThrow(
      `'memory.${field}' must not contain NUL characters (U+0000)`,
    );
  });
});

describe('a read-only memory', () => {
  test('can be exported, and refuses an import', async () => {
    const { test: source, client } = await filledMemory();
    const guarded = clientOf({ engine: readOnly(source.engine), log: source.log });
    expect(linesOf(await exported(guarded))).toEqual(linesOf(await exported(client)));
    await expect(guarded.importPage({ records: [] })).rejects.toThrow('This memory is read-only here');
  });
});

test('an import embeds a memory again, and enriches it if it was not enriched', async () => {
  const { client } = await filledMemory(0);
  const { records } = await client.exportPage({ limit: 1 });
  const waiting = records.flatMap(line =>
    'memory' in line ? [{ ...line, memory: { ...line.memory, enriched: false }, work: ['enrich' as const] }] : [],
  );
  const target = await emptyMemory();
  await target.client.importPage({ records: waiting, last: true });
  await target.test.engine.idle();
  const [id = ''] = waiting.map(({ memory }) => memory.id);
  expect((await target.test.engine.get(id)).memory).toMatchObject({ enriched: true, embedded_by: expect.any(String) });
});
