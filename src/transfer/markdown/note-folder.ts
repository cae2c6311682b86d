/** Writes every memory as a note into a folder that people and other programs can read, and reads such a folder. */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MemoryLine } from '../../api/transfer-records.js';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { type ExportLinesParts, recordsOf } from '../export-lines.js';
import { filesIn } from '../files.js';
import { isNoteName, noteOf, OKF_VERSION, readNoteFile, recordOfNote, titleOf, writeNote } from './note-record.js';

const INDEX = 'index.md';
const NOTES = 'memories';
const SLUG_MAX_LENGTH = 60;
const ID_LENGTH = 36;

export interface ExportedFolder {
  memories: number;
  /** Number of notes that already existed with the same text. */
  unchanged: number;
}

/**
 * Writes the notes. After an interruption the export can be started again: existing notes with the same text are not
 * written again. Notes of memories that were deleted after an earlier export are kept.
 *
 * @throws MemoryError `invalid` for a folder that has other files
 */
export async function exportToFolder(folder: string, parts: ExportLinesParts): Promise<ExportedFolder> {
  const { readPage, header, onProgress } = parts;
  await assertUsable(folder);
  const origin = { by: `engraph/${header.engraph}`, at: header.exported_at };
  // The index is written first, so that the folder of an interrupted export is recognised as an export.
  await writeIndex(folder, parts, new Map());
  const months = new Map<string, number>();
  const names = createNames(join(folder, NOTES));
  const exported: ExportedFolder = { memories: 0, unchanged: 0 };
  const query = { part: 'memories' as const, ...(header.since !== undefined && { since: header.since }) };
  for await (const records of recordsOf(readPage, query)) {
    for (const record of records) {
      if (!('memory' in record)) continue;
      const month = record.memory.timestamp.slice(0, 7);
      const isWritten = await writeOne(await names.pathOf(record.memory), record, origin);
      exported.memories += 1;
      if (!isWritten) exported.unchanged += 1;
      months.set(month, (months.get(month) ?? 0) + 1);
    }
    onProgress({ memories: exported.memories, relations: 0, nodes: 0 });
  }
  await writeIndex(folder, parts, months);
  return exported;
}

async function assertUsable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter(name => !name.startsWith('.'));
  if (names.length === 0) return;
  const index = names.includes(INDEX) ? await readFile(join(folder, INDEX), 'utf8') : '';
  if (index.startsWith('---\n') && index.includes('okf_version:')) return;
  throw new MemoryError('invalid', `The folder ${folder} has other files; it was left as it is`, {
    hint: 'Name a folder that is empty or does not exist.',
  });
}

/** @returns whether the note was written; an existing note that differs only in `generated` is kept */
async function writeOne(path: string, record: MemoryLine, origin: { by: string; at: string }): Promise<boolean> {
  const text = writeNote(noteOf(record, origin));
  const present = await readFile(path, 'utf8').catch(() => undefined);
  if (present !== undefined && withoutOrigin(present) === withoutOrigin(text)) return false;
  await writeFile(path, text, { mode: 0o600 });
  return true;
}

function withoutOrigin(text: string): string {
  return text.replace(/^generated:\n(?: {2}.*\n)*/m, '');
}

/** A note is named after its first words and its id. A note under an earlier name is removed. */
function createNames(folder: string) {
  const byMonth = new Map<string, Map<string, string>>();
  const namesIn = async (month: string): Promise<Map<string, string>> => {
    const known = byMonth.get(month);
    if (known) return known;
    await mkdir(join(folder, month), { recursive: true });
    const names = (await readdir(join(folder, month))).filter(name => name.endsWith('.md'));
    const byId = new Map(names.map(name => [name.slice(-ID_LENGTH - 3, -3), name]));
    byMonth.set(month, byId);
    return byId;
  };
  return {
    pathOf: async ({ id, content, timestamp }: MemoryLine['memory']): Promise<string> => {
      const month = timestamp.slice(0, 7);
      const names = await namesIn(month);
      const name = [slugOf(content), `${id}.md`].filter(part => part !== '').join('-');
      const former = names.get(id);
      if (former !== undefined && former !== name) await rm(join(folder, month, former));
      names.set(id, name);
      return join(folder, month, name);
    },
  };
}

/** Returns a name of only ASCII letters, digits and hyphens, which every file system accepts. */
function slugOf(content: string): string {
  const words = titleOf(content)
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('-').slice(0, SLUG_MAX_LENGTH).replace(/-$/, '');
}

async function writeIndex(
  folder: string,
  { header }: ExportLinesParts,
  months: ReadonlyMap<string, number>,
): Promise<void> {
  const fields = {
    type: 'index',
    okf_version: OKF_VERSION,
    title: 'Memories',
    generated: { by: `engraph/${header.engraph}`, at: header.exported_at },
    ...(header.since !== undefined && { since: header.since }),
  };
  const rows = [...months].sort().map(([month, count]) => `- [${month}](${NOTES}/${month}/): ${count} memories`);
  const body = ['# Memories', '', ...(rows.length > 0 ? rows : ['No memory has been written yet.'])].join('\n');
  await writeFile(join(folder, INDEX), writeNote({ fields, body }), { mode: 0o600 });
}

export type ReadMemory = { path: string; record: MemoryLine } | { path: string; problem: string };

/** Yields each note as a memory, or the reason why the note cannot be read. Skips index files. */
export async function* notesIn(folder: string): AsyncGenerator<ReadMemory> {
  const isNote = (name: string) => isNoteName(name) && name.split('/').at(-1)?.toLowerCase() !== INDEX;
  for await (const { path, name } of filesIn(folder, isNote)) {
    try {
      const note = await readNoteFile(path);
      yield { path: name, record: recordOfNote(note, { path: name, modifiedMs: note.modifiedMs }) };
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      yield { path: name, problem: messageOf(error) };
    }
  }
}
