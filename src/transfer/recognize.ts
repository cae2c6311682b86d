/**
 * Recognizes which program wrote a file or folder, from its structure, and refuses a path that cannot be imported with a
 * sentence that names the path.
 */

import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MemoryError } from '../domain/errors.js';
import { filesIn, headOf } from './files.js';
import { isNoteName } from './markdown/note-record.js';
import { automem } from './sources/automem.js';
import { claudeMem } from './sources/claude-mem.js';
import { hasClaudeMemories } from './sources/claude-projects.js';
import { chatgpt, claude } from './sources/data-export.js';
import { generic } from './sources/generic.js';
import { outlineOf } from './sources/json-records.js';
import { mcpMemoryService } from './sources/mcp-memory-service.js';
import { basicMemory, claudeCode, codex } from './sources/notes-folder.js';
import { mem0, openmemory } from './sources/openmemory.js';
import { rulesFile } from './sources/rules-file.js';
import { serverMemory } from './sources/server-memory.js';
import { type Found, SOURCE_NAMES, type Source, type SourceName } from './sources/source.js';
import { openSqlite, SQLITE_MAGIC } from './sources/sqlite-file.js';
import { openZip } from './sources/zip-entries.js';

/** Formats that Engraph itself writes. All other formats are those of the sources. */
export const OWN_FORMS = ['engraph', 'markdown'] as const;
export type FormName = (typeof OWN_FORMS)[number] | SourceName;
export const FORM_NAMES: readonly FormName[] = [...OWN_FORMS, ...SOURCE_NAMES];

const ZIP_MAGIC = 'PK\u0003\u0004';
const GZIP_MAGIC = '\u001f\u008b';
/** Position and text of the signature in a tar file. */
const TAR_MAGIC = { at: 257, text: 'ustar' };

/** Lines of a note of basic-memory. A list of tasks, such as `- [x] done`, looks similar. */
const OBSERVATION = /^- \[[\p{L}][^\]\n]{1,60}\] \S/mu;
const WIKI_RELATION = /^- [\p{L}\p{N} _-]{1,60} \[\[[^\]\n]+\]\]/mu;
/** Entries of server-memory that have no other sign. */
const ENTRY_TYPE = /"type"\s*:\s*"(?:entity|relation)"/;
const MARKDOWN_NAME = /\.(?:md|mdc|markdown)$/i;
/** A heading or a bullet. */
const MARKDOWN = /^(?:#{1,6}|[-*+])[ \t]+\S/m;

/** The programs whose data are in a folder. One file of such a folder can be imported too. */
const FOLDER_FORMS: ReadonlySet<FormName> = new Set([
  'markdown',
  'claude-code',
  'codex',
  'basic-memory',
  'chatgpt',
  'claude',
]);

/** Whether an import in a form reads a folder. */
export function readsFolders(form: FormName): boolean {
  return FOLDER_FORMS.has(form);
}

const READERS: Record<SourceName, (path: string) => AsyncIterable<Found>> = {
  'server-memory': serverMemory,
  mem0,
  'rules-file': rulesFile,
  generic,
  'mcp-memory-service': mcpMemoryService,
  'claude-code': claudeCode,
  codex,
  chatgpt,
  claude,
  openmemory,
  'basic-memory': basicMemory,
  'claude-mem': claudeMem,
  automem,
};

export async function openSource(name: SourceName, path: string): Promise<Source> {
  const { mtimeMs } = await stat(path);
  return { name, modifiedMs: mtimeMs, read: () => READERS[name](path) };
}

/** @throws MemoryError `invalid` for a file that no known program writes, or that is not text */
export async function recognize(path: string): Promise<FormName> {
  const isFolder = (await stat(path)).isDirectory();
  const form = isFolder ? await formOfFolder(path) : await formOfFile(path);
  if (form !== undefined) return form;
  if (!isFolder && isTable(await headOf(path))) {
    throw new MemoryError('invalid', `${path} is a table (CSV), which cannot be imported`, {
      hint: 'Convert each row to a line of JSON, such as {"content": "…", "tags": ["…"]}.',
    });
  }
  throw new MemoryError(
    'invalid',
    `${path} does not look like the ${isFolder ? 'folder' : 'file'} of a known program`,
    {
      hint: `Name the program with --from: ${FORM_NAMES.join(', ')}.`,
    },
  );
}

async function formOfFolder(path: string): Promise<FormName | undefined> {
  const names = new Set(await readdir(path));
  if (names.has('index.md') && (await headOf(join(path, 'index.md'))).includes('okf_version:')) return 'markdown';
  const conversations = [...names].find(name => /^conversations(?:-\d+)?\.json$/.test(name));
  if (conversations !== undefined) return formOfJson(await headOf(join(path, conversations)));
  if (names.has('memory_summary.md') || basename(path) === 'memories')
    return names.has('MEMORY.md') ? 'codex' : undefined;
  if (names.has('MEMORY.md') || (await hasClaudeMemories(path))) return 'claude-code';
  return formOfNotes(path);
}

async function formOfNotes(path: string): Promise<FormName | undefined> {
  for await (const file of filesIn(path, isNoteName)) {
    const form = formOfNote(await headOf(file.path));
    if (form !== undefined) return form;
  }
  return undefined;
}

function formOfNote(head: string): FormName | undefined {
  const [, front = ''] = /^(?:ï»¿)?---[ \t]*\r?\n([\s\S]*?)\n---/.exec(head) ?? [];
  if (/^permalink:/m.test(front) || OBSERVATION.test(head) || WIKI_RELATION.test(head)) return 'basic-memory';
  return /^metadata:[ \t]*\r?\n[ \t]+(?:node_)?type:/m.test(front) ? 'claude-code' : undefined;
}

async function formOfFile(path: string): Promise<FormName | undefined> {
  const head = await headOf(path);
  if (head.startsWith(SQLITE_MAGIC)) return formOfSqlite(path);
  if (head.startsWith(ZIP_MAGIC)) return formOfZip(path);
  if (head.startsWith(GZIP_MAGIC) || head.slice(TAR_MAGIC.at).startsWith(TAR_MAGIC.text)) return 'automem';
  assertText(path, head);
  return formOfJson(head) ?? formOfMarkdown(path, head);
}

function formOfMarkdown(path: string, head: string): FormName | undefined {
  if (/^\s*[[{]/.test(head)) return undefined;
  const front = /^(?:ï»¿)?---[ \t]*\r?\n/.test(head);
  if (front && /^generated:[ \t]*\r?\n[ \t]+by: engraph\//m.test(head)) return 'markdown';
  const note = front ? formOfNote(head) : undefined;
  if (note !== undefined) return note;
  return MARKDOWN_NAME.test(path) || MARKDOWN.test(head) ? 'rules-file' : undefined;
}

/** The order matters: the first form that fits is used. */
function formOfJson(head: string): FormName | undefined {
  const outline = outlineOf(head);
  if (!outline) return undefined;
  const { keys, itemKeys } = outline;
  // A file of one line may be an object with lists, or one record.
  const has = (...names: string[]) => names.some(name => itemKeys.has(name) || keys.has(name));
  if (has('engraph_export')) return 'engraph';
  if (has('chat_messages', 'conversations_memory')) return 'claude';
  if (has('mapping')) return 'chatgpt';
  if (has('memory') || (keys.has('results') && !has('content'))) return 'mem0';
  if (
    has('entityType', 'entity_type', 'relationType', 'relation_type', 'entities') ||
    (!has('content') && ENTRY_TYPE.test(head))
  ) {
    return 'server-memory';
  }
  if (keys.has('memories') && has('access_controls', 'export_meta', 'status_history')) return 'openmemory';
  if (has('export_metadata') || (keys.has('memories') && has('content_hash'))) return 'mcp-memory-service';
  return has('content') ? 'generic' : undefined;
}

async function formOfSqlite(path: string): Promise<FormName | undefined> {
  const file = await openSqlite(path);
  try {
    if (file.tables.has('observations')) return 'claude-mem';
    const isService = file.tables.has('memories') && file.columnsOf('memories').has('content_hash');
    return isService ? 'mcp-memory-service' : undefined;
  } finally {
    await file.close();
  }
}

async function formOfZip(path: string): Promise<FormName | undefined> {
  const zip = await openZip(path);
  try {
    const names = zip.names.map(name => basename(name));
    if (names.includes('memories.jsonl.gz')) return 'openmemory';
    const conversations = zip.names.find(name => /^conversations(?:-\d+)?\.json$/.test(basename(name)));
    if (conversations === undefined) return names.includes('memories.json') ? 'openmemory' : undefined;
    for await (const chunk of zip.read(conversations)) return formOfJson(chunk.toString('latin1'));
    return undefined;
  } finally {
    zip.close();
  }
}

const UTF16_MARKS = ['\u00ff\u00fe', '\u00fe\u00ff'];
const DENIED = ['EACCES', 'EPERM'];

/**
 * @returns whether the path is a file or a folder
 * @throws MemoryError `invalid` for a path that does not exist, may not be read, is empty, or is a device or a pipe
 */
export async function checkPath(path: string): Promise<'file' | 'folder'> {
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory()) {
      throw new MemoryError('invalid', `${path} is neither a file nor a folder`, {
        hint: 'An import reads its source several times: save the data in a file first.',
      });
    }
    await access(path, found.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
    if (found.isDirectory()) return 'folder';
    if ((await headOf(path)).replace(/^ï»¿/, '').trim() === '') throw new MemoryError('invalid', `${path} is empty`);
    return 'file';
  } catch (error) {
    throw asSentence(error, path);
  }
}

/** Turns an error of the file system about a path into a sentence. Passes all other errors on. */
export function asSentence(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof MemoryError || typeof code !== 'string') return error;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new MemoryError('invalid', `There is no file or folder ${path}`);
  if (DENIED.includes(code)) return new MemoryError('invalid', `${path} cannot be read: permission denied`);
  return new MemoryError('invalid', `${path} cannot be read: ${message}`, { cause: error });
}

/** @throws MemoryError `invalid` for the beginning of a file that is not text in UTF-8 */
function assertText(path: string, head: string): void {
  if (UTF16_MARKS.some(mark => head.startsWith(mark)) || isUtf16WithoutMark(head)) {
    throw new MemoryError('invalid', `${path} is text in UTF-16`, { hint: 'Save it in UTF-8.' });
  }
  if (head.includes('\0')) throw new MemoryError('invalid', `${path} is a binary file of an unknown format`);
}

function isUtf16WithoutMark(head: string): boolean {
  const start = head.slice(0, 64);
  const zeros = [...start].filter(character => character === '\0').length;
  return start.length >= 8 && Math.abs(zeros - start.length / 2) <= 1;
}

/** Whether a file is a table (CSV): the first lines have the same number of the same separator, outside of quotation marks. */
function isTable(head: string): boolean {
  const [first = '', second = ''] = head.split(/\r?\n/, 2).map(line => line.replaceAll(/"[^"]*"/g, ''));
  return [',', ';', '\t'].some(separator => {
    const columns = first.split(separator).length;
    return columns > 1 && columns === second.split(separator).length;
  });
}
