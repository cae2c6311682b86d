/** Exports memories to a folder of Markdown notes, and imports such folders. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MemoryLine } from '../../src/api/transfer-records.js';
import type { TransferClient } from '../../src/transfer/import-file.js';
import { importRecords } from '../../src/transfer/import-records.js';
import { exportToFolder, notesIn } from '../../src/transfer/markdown/note-folder.js';
import { readNote, writeNote } from '../../src/transfer/markdown/note-record.js';
import { recognize } from '../../src/transfer/recognize.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { emptyMemory, filledMemory } from './filled.js';

function folderForTest(): string {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return join(folder.path, 'notes');
}

const header = { version: 1, exported_at: '2026-03-01T12:00:00.000Z', engraph: '1.2.3' };

async function written(client: TransferClient, folder = folderForTest()) {
  const exported = await exportToFolder(folder, { readPage: client.exportPage, header, onProgress: () => {} });
  return { folder, ...exported };
}

const bringBack = (folder: string, client: TransferClient) =>
  importRecords(
    async function* () {
      for await (const note of notesIn(folder)) {
        const { path: place } = note;
        if ('record' in note) yield { kind: 'notes', place, record: note.record };
        else yield { kind: 'notes', place, problem: note.problem };
      }
    },
    { client, isDryRun: false, readsTypes: false, skipsInvalid: true, onProgress: () => {} },
  );

/** The exported memories, without the data that notes do not contain: supplied vectors and edges to nodes. */
async function memoriesOf(client: TransferClient): Promise<Omit<MemoryLine, 'embedding' | 'links'>[]> {
  const { records } = await client.exportPage();
  return records.flatMap(line =>
    'memory' in line ? [{ memory: line.memory, work: line.work, relations: line.relations }] : [],
  );
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md'));

describe('a folder of notes', () => {
  test('is imported unchanged into an empty engine', async () => {
    const { client, count } = await filledMemory();
    const { folder, memories } = await written(client);
    expect(memories).toBe(count);
    expect(await recognize(folder)).toBe('markdown');
    const target = await emptyMemory();
    const { missing, memories: arrived } = await bringBack(folder, target.client);
    expect([missing, arrived.created]).toEqual([0, count]);
    expect(await memoriesOf(target.client)).toEqual(await memoriesOf(client));
    expect((await bringBack(folder, target.client)).memories).toMatchObject({ created: 0, updated: 0 });
  });

  test('follows the Open Knowledge Format', async () => {
    const { client, ids } = await filledMemory();
    const { folder } = await written(client);
    const index = readNote(readFileSync(join(folder, 'index.md'), 'utf8'));
    expect(index.fields).toMatchObject({ type: 'index', okf_version: '0.2', generated: { by: 'engraph/1.2.3' } });
    const name = filesOf(folder).find(file => file.endsWith(`${ids.second}.md`)) ?? '';
    expect(name).toMatch(/^memories.\d{4}-\d{2}.ben-left-in-may-/);
    const note = readNote(readFileSync(join(folder, name), 'utf8'));
    expect(note.body).toBe('Ben left in May');
    expect(note.fields).toMatchObject({
      id: ids.second,
      type: expect.any(String),
      status: 'archived',
      stale_after: '2027-01-01T00:00:00.000Z',
      generated: { by: 'engraph/1.2.3', at: header.exported_at },
    });
    const first = filesOf(folder).find(file => file.endsWith(`${ids.first}.md`)) ?? '';
    expect(readNote(readFileSync(join(folder, first), 'utf8')).fields.relations).toContainEqual(
      expect.objectContaining({ to: ids.second, type: 'PREFERS_OVER', strength: 0.7, properties: { reason: 'so' } }),
    );
  });

  test('when written again, keeps unchanged notes, restores lost notes, and renames changed notes', async () => {
    const { test: source, client, ids, count } = await filledMemory();
    const { folder } = await written(client);
    const lost = filesOf(folder).find(name => name.includes('note-7')) ?? '';
    rmSync(join(folder, lost));
    source.clock.advance(1_000);
    await source.patch(ids.first, { content: 'Anna uses Valkey' });
    const again = await written(client, folder);
    expect(again.memories - again.unchanged).toBeLessThanOrEqual(3);
    expect(existsSync(join(folder, lost))).toBe(true);
    expect(filesOf(folder).filter(name => name.endsWith(`${ids.first}.md`))).toEqual([
      expect.stringContaining('anna-uses-valkey'),
    ]);
    expect(filesOf(folder)).toHaveLength(count + 1);
  });

  test('updates the memory of an edited note, unless the memory was changed too', async () => {
    const { client, ids } = await filledMemory(3);
    const { folder } = await written(client);
    const target = await emptyMemory();
    await bringBack(folder, target.client);
    const edit = (id: string, from: string, to: string) => {
      const path = join(folder, filesOf(folder).find(name => name.endsWith(`${id}.md`)) ?? '');
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
    };
    edit(ids.first, 'Anna uses Redis', 'Anna uses Valkey');
    target.test.clock.advance(86_400_000);
    await target.test.patch(ids.second, { content: 'Ben left in July' });
    edit(ids.second, 'Ben left in May', 'Ben left in June');
    expect((await bringBack(folder, target.client)).memories).toMatchObject({ updated: 1, kept: 1 });
    expect((await target.test.engine.get(ids.first)).memory.content).toBe('Anna uses Valkey');
    expect((await target.test.engine.get(ids.second)).memory.content).toBe('Ben left in July');
  });

  test('with an edited note imports it without what was derived from its former text, and enriches it again', async () => {
    const { client, ids } = await filledMemory(3);
    const { folder } = await written(client);
    const path = join(folder, filesOf(folder).find(name => name.endsWith(`${ids.first}.md`)) ?? '');
    const change = (from: string, to: string) => writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
    change('\ntags:', '\ndescription: Redis is in use.\ntags:');
    const target = await emptyMemory();
    const stored = async () => (await memoriesOf(target.client)).find(({ memory }) => memory.id === ids.first)?.memory;
    await bringBack(folder, target.client);
    expect(await stored()).toMatchObject({
      summary: 'Redis is in use.',
      tags: expect.arrayContaining(['people:anna', 'entity:tools:redis']),
    });
    for (const [from, to, tag] of [
      ['\n\nAnna uses Redis', '\n\nAnna uses Kafka', 'entity:tools:kafka'],
      ['\n\nAnna uses Kafka', '\n\nAnna uses Docker', 'entity:tools:docker'],
    ] as const) {
      change(from, to);
      expect(await bringBack(folder, target.client)).toMatchObject({ memories: { updated: 1 }, missing: 0 });
      await target.test.engine.idle();
      const memory = await stored();
      expect(memory).toMatchObject({ enriched: true, tags: expect.arrayContaining(['people:anna', tag]) });
      expect(memory?.tags).not.toContain('entity:tools:redis');
      expect(memory?.summary).toBeUndefined();
    }
  });

  test('is not written into a folder with other files', async () => {
    const { client } = await emptyMemory();
    const folder = folderForTest();
    mkdirSync(folder);
    writeFileSync(join(folder, 'thesis.md'), 'three years of work');
    await expect(written(client, folder)).rejects.toThrow('has other files; it was left as it is');
    expect(readdirSync(folder)).toEqual(['thesis.md']);
  });

  test('imports notes that a person wrote, and a second import changes nothing', async () => {
    const folder = folderForTest();
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.md'), '---\ntype: index\nokf_version: "0.2"\n---\n');
    writeFileSync(
      join(folder, 'tea.md'),
      '---\ntype: preference\ntitle: Tea\ntags: [drinks, Tea]\ntimestamp: 2026-01-31\nmood: calm\n---\n\nAnn prefers tea.\n',
    );
    writeFileSync(join(folder, 'recipe.md'), '---\ntype: recipe\n---\nBoil water.\n');
    writeFileSync(join(folder, 'broken.md'), '---\ntype: note\nimportance: much\n---\nText.\n');
    const { client } = await emptyMemory();
    const { memories, leftOut } = await bringBack(folder, client);
    expect(memories.created).toBe(2);
    expect(leftOut.groups()).toMatchObject([
      { problem: expect.stringContaining("'memory.importance'"), places: ['broken.md'], severity: 'broken' },
    ]);
    const stored = (await memoriesOf(client)).map(({ memory }) => memory);
    expect(stored.find(({ content }) => content === 'Ann prefers tea.')).toMatchObject({
      type: 'Preference',
      timestamp: '2026-01-31T00:00:00.000Z',
      metadata: { title: 'Tea' },
    });
    expect(stored.find(({ content }) => content === 'Boil water.')).toMatchObject({
      type: 'Context',
      metadata: { okf_type: 'recipe' },
    });
    expect((await bringBack(folder, client)).memories).toMatchObject({ created: 0, updated: 0 });
  });
});

describe('a note keeps', () => {
  const keeps = (text: string) => {
    const fields = { type: 'Context', title: text, metadata: { [text === '' ? 'x' : text]: [text, 1, null, true] } };
    expect(readNote(writeNote({ fields, body: text })), JSON.stringify(text)).toEqual({ fields, body: text });
  };
  test('texts that look like front matter, YAML or Markdown', () => {
    for (const text of [
      '---\ntitle: x\n---',
      'line\n---\nline',
      '# heading',
      'a: b',
      ' two\n\n\nlines\n',
      '&a *a',
      '{',
      '1e3',
      'null',
    ]) {
      keeps(text);
    }
  });
  test('numbers that JavaScript would change, as texts', () => {
    const front = 'metadata: { id: 1234567890123456789, list: [1e400, 1e20, 0.10, -9007199254740993] }';
    expect(readNote(`---\n${front}\n---\n\nx`).fields).toEqual({
      metadata: { id: '1234567890123456789', list: ['1e400', 1e20, 0.1, '-9007199254740993'] },
    });
  });
  test('any text', () => fc.assert(fc.property(fc.string({ unit: 'grapheme' }), keeps), { numRuns: 300 }));
});
