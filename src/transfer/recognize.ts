/** Recognizes which program wrote a file or folder, from the structure of the file or folder. */
import { readdirSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MemoryError } from '../domain/errors.js';
import { automem } from './sources/automem.js';
import { chatgpt } from './sources/chatgpt.js';
import { claude } from './sources/claude.js';
import { claudeMem } from './sources/claude-mem.js';
import { mcpMemoryServiceJson, mcpMemoryServiceSqlite } from './sources/mcp-memory-service.js';
import { basicMemory, claudeCode, codex } from './sources/notes-sources.js';
import { openmemory } from './sources/openmemory.js';
import { serverMemory } from './sources/server-memory.js';
import { SOURCE_NAMES, type Source, type SourceName } from './sources/source.js';
import { openSqlite } from './sources/sqlite-file.js';
import { openZip } from './sources/zip-entries.js';

/** Formats that Engraph itself writes. All other formats are those of the sources. */
export const OWN_FORMS = ['engraph', 'markdown'] as const;
export type FormName = (typeof OWN_FORMS)[number] | SourceName;
export const FORM_NAMES: readonly FormName[] = [...OWN_FORMS, ...SOURCE_NAMES];

const HEAD_BYTES = 65_536;
const SQLITE_MAGIC = 'SQLite format 3\0';
const ZIP_MAGIC = 'PK\u0003\u0004';
const GZIP_MAGIC = '\u001f\u008b';
/** Position and text of the signature in a tar file. */
const TAR_MAGIC = { at: 257, text: 'ustar' };

const READERS: Record<SourceName, (path: string) => Promise<Source>> = {
  'server-memory': serverMemory,
  'mcp-memory-service': async path =>
    (await headOf(path)).startsWith(SQLITE_MAGIC) ? mcpMemoryServiceSqlite(path) : mcpMemoryServiceJson(path),
  'claude-code': claudeCode,
  codex,
  chatgpt,
  claude,
  openmemory,
  'basic-memory': basicMemory,
  'claude-mem': claudeMem,
  automem,
};

export function openSource(name: SourceName, path: string): Promise<Source> {
  return READERS[name](path);
}

/** @throws MemoryError `invalid` for a file that no known program writes */
export async function recognize(path: string): Promise<FormName> {
  const form = (await stat(path)).isDirectory() ? await formOfFolder(path) : await formOfFile(path);
  if (form !== undefined) return form;
  throw new MemoryError('invalid', `${path} does not look like the file of a known program`, {
    hint: `Name the program with --from: ${FORM_NAMES.join(', ')}.`,
  });
}

async function formOfFolder(path: string): Promise<FormName | undefined> {
  const names = new Set(readdirSync(path));
  if (names.has('index.md') && (await headOf(join(path, 'index.md'))).includes('okf_version:')) return 'markdown';
  const conversations = [...names].find(name => /^conversations(?:-\d+)?\.json$/.test(name));
  if (conversations !== undefined) return formOfJson(await headOf(join(path, conversations)));
  if (names.has('memory_summary.md') || basename(path) === 'memories')
    return names.has('MEMORY.md') ? 'codex' : undefined;
  if (names.has('MEMORY.md')) return 'claude-code';
  const notes = [...names].filter(name => name.endsWith('.md'));
  const heads = await Promise.all(notes.slice(0, 20).map(name => headOf(join(path, name))));
  return heads.some(head => /^permalink:/m.test(head)) ? 'basic-memory' : undefined;
}

async function formOfFile(path: string): Promise<FormName | undefined> {
  const head = await headOf(path);
  if (head.startsWith(SQLITE_MAGIC)) return formOfSqlite(path);
  if (head.startsWith(ZIP_MAGIC)) return formOfZip(path);
  if (head.startsWith(GZIP_MAGIC) || head.slice(TAR_MAGIC.at).startsWith(TAR_MAGIC.text)) return 'automem';
  const [line = ''] = head.split('\n');
  if (line.includes('"engraph_export"')) return 'engraph';
  if (/"type"\s*:\s*"(?:entity|relation)"/.test(line)) return 'server-memory';
  return formOfJson(head);
}

function formOfJson(head: string): FormName | undefined {
  if (head.includes('"chat_messages"') || head.includes('"conversations_memory"')) return 'claude';
  if (head.includes('"mapping"')) return 'chatgpt';
  return head.includes('"export_metadata"') || head.includes('"content_hash"') ? 'mcp-memory-service' : undefined;
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
    for await (const chunk of zip.read(conversations)) return formOfJson(chunk.toString('latin1', 0, HEAD_BYTES));
    return undefined;
  } finally {
    zip.close();
  }
}

/** Returns the first bytes of a file as Latin-1, so that bytes that are not text can be compared too. */
async function headOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
