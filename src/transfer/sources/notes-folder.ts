/** Reads folders of notes that Claude Code, Codex or basic-memory wrote. */
import { isUtf8 } from 'node:buffer';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { toIso } from '../../domain/time.js';
import { type FoundFile, filesIn, readBounded } from '../folder.js';
import { type Note, readNote } from '../markdown/front-matter.js';
import { isNoteName } from '../markdown/note-record.js';
import type { Found, Source, SourceName, SourceRecord, SourceRelation } from './source.js';
import { instantIn, metadataOf, objectIn, tagsIn, textIn } from './values.js';

const NOTE_MAX_BYTES = 4 * 1_048_576;
/** The file that lists the other files of a folder of Claude Code. A simple folder contains only this file. */
const INDEX = 'memory.md';
const WIKI_LINK = /\[\[([^\]|#\n]{1,200})/g;
const FILE_LINK = /\]\(([^)\s#]{1,200}\.md)\)/gi;
const HASHTAG = /(?:^|\s)#([\p{L}\p{N}][\p{L}\p{N}/_-]{0,60})/gu;
const BULLET = /^[ \t]{0,40}[-*][ \t]/;
const LINK_TO_FILE = /\]\([^)\s]{1,200}\.md\)/i;

interface FolderNote extends Note {
  name: string;
  modifiedMs: number;
}

export async function notesFolder(folder: string, name: SourceName): Promise<Source> {
  const { mtimeMs } = await stat(folder);
  return { name, modifiedMs: mtimeMs, read: () => read(folder, name) };
}

async function* read(folder: string, source: SourceName): AsyncGenerator<Found> {
  const names = createNames();
  for await (const file of filesIn(folder, isNoteName))
    names.add(file.name, source === 'basic-memory' ? await quietNote(file) : undefined);
  const project = projectOf(folder, source);
  for await (const file of filesIn(folder, isNoteName)) {
    try {
      const note = await readFolderNote(file);
      const isSectioned = source !== 'basic-memory' && Object.keys(note.fields).length === 0;
      if (isSectioned) yield* sectionsOf(note, project);
      else yield recordOf(note, { source, project, names });
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      yield { kind: 'notes', place: file.name, problem: messageOf(error) };
    }
  }
}

async function readFolderNote({ path, name }: FoundFile): Promise<FolderNote> {
  const { bytes, modifiedMs } = await readBounded(path, NOTE_MAX_BYTES);
  if (!isUtf8(bytes)) throw new MemoryError('invalid', 'is not text in UTF-8');
  return { ...readNote(bytes.toString('utf8')), name, modifiedMs };
}

async function quietNote(file: FoundFile): Promise<FolderNote | undefined> {
  return readFolderNote(file).catch(error => {
    if (error instanceof MemoryError) return undefined;
    throw error;
  });
}

/** Finds the note to which a link leads. A link names a note by path, file name, title or permalink. */
function createNames() {
  const keys = new Map<string, string>();
  const note = (name: string, key: string) => {
    const lower = name.trim().toLowerCase();
    if (lower !== '' && !keys.has(lower)) keys.set(lower, key);
  };
  return {
    add: (path: string, read?: FolderNote) => {
      const file = basename(path);
      for (const name of [path, path.replace(/\.md$/i, ''), file, file.replace(/\.md$/i, '')]) note(name, path);
      for (const name of ['title', 'permalink']) note(textIn(read?.fields ?? {}, name) ?? '', path);
    },
    find: (name: string) => keys.get(name.trim().toLowerCase()),
  };
}

type Names = ReturnType<typeof createNames>;

/** Reads the project from the path of the folder. Claude Code stores notes in `projects/<project>/memory`. */
function projectOf(folder: string, source: SourceName): string | undefined {
  if (source !== 'claude-code' || basename(folder) !== 'memory') return undefined;
  return basename(dirname(folder)).replace(/^-+/, '') || undefined;
}

interface NoteContext {
  source: SourceName;
  project: string | undefined;
  names: Names;
}

function recordOf({ fields, body, name, modifiedMs }: FolderNote, { source, project, names }: NoteContext): Found {
  if (body.trim() === '') return { kind: 'notes', place: name, problem: 'has no text' };
  const title = textIn(fields, 'title', 'name');
  const description = textIn(fields, 'description');
  const changed = instantIn(fields, 'modified', 'updated', 'updated_at') ?? toIso(Math.floor(modifiedMs));
  const hashtags = source === 'basic-memory' ? [...body.matchAll(HASHTAG)].map(([, tag = '']) => tag) : [];
  return {
    kind: 'notes',
    key: name,
    content: [...(title !== undefined && !body.includes(title) ? [title] : []), body.trim()].join('\n\n'),
    timestamp: instantIn(fields, 'created', 'created_at', 'date') ?? changed,
    updatedAt: changed,
    tags: [...(project === undefined ? [] : [`project:${project}`]), ...tagsIn(fields, 'tags'), ...hashtags],
    type: textIn(fields, 'type') ?? textIn(objectIn(fields, 'metadata'), 'type'),
    metadata: metadataOf({ title, description, permalink: textIn(fields, 'permalink') }),
    relations: relationsIn(body, name, names),
  };
}

function relationsIn(body: string, from: string, names: Names): SourceRelation[] {
  const linked = [...body.matchAll(WIKI_LINK), ...body.matchAll(FILE_LINK)].map(([, name = '']) => names.find(name));
  const keys = [...new Set(linked.filter(key => key !== undefined && key !== from))] as string[];
  const typed = typedLinks(body, names);
  return keys.map(to => ({ to, type: TYPES.get(typed.get(to) ?? '') ?? 'RELATES_TO' }));
}

/** Returns the words before the first link of each list item, by the key of the linked note. */
function typedLinks(body: string, names: Names): Map<string, string> {
  const typed = new Map<string, string>();
  for (const line of body.split('\n')) {
    const [link] = BULLET.test(line) ? line.matchAll(WIKI_LINK) : [];
    const to = link && names.find(link[1] ?? '');
    if (link && to !== undefined) typed.set(to, line.slice(0, link.index).replace(BULLET, '').trim().toLowerCase());
  }
  return typed;
}

/** Words before a link, with the edge type that they mean. */
const TYPES = new Map<string, SourceRelation['type']>([
  ['part of', 'PART_OF'],
  ['part_of', 'PART_OF'],
  ['leads to', 'LEADS_TO'],
  ['leads_to', 'LEADS_TO'],
  ['derived from', 'DERIVED_FROM'],
  ['derived_from', 'DERIVED_FROM'],
  ['contradicts', 'CONTRADICTS'],
]);

/** Yields a memory for each section of a file without front matter. Skips sections that only list other files. */
function* sectionsOf({ body, name, modifiedMs }: FolderNote, project: string | undefined): Generator<Found> {
  const timestamp = toIso(Math.floor(modifiedMs));
  const tags = project === undefined ? [] : [`project:${project}`];
  let hasText = false;
  for (const { heading, text } of splitSections(body)) {
    const lines = text.split('\n').filter(line => line.trim() !== '');
    const isIndex = basename(name).toLowerCase() === INDEX && lines.every(line => LINK_TO_FILE.test(line));
    if (lines.length === 0 || isIndex) continue;
    hasText = true;
    const record: SourceRecord = {
      kind: 'sections',
      key: `${name}#${heading}`,
      content: heading === '' ? text.trim() : `${heading}\n${text.trim()}`,
      timestamp,
      tags,
      metadata: { file: name },
    };
    yield record;
  }
  if (!hasText) yield { kind: 'sections', place: name, problem: 'has no text except links to other files' };
}

export interface Section {
  /** Empty for the text before the first heading. */
  heading: string;
  text: string;
}

/** Splits Markdown into sections, which begin at headings and at lines that are entirely bold. */
export function splitSections(body: string): Section[] {
  const sections: Section[] = [{ heading: '', text: '' }];
  for (const line of body.split(/\r?\n/)) {
    const heading = /^#{1,6}\s+(.+)$/.exec(line)?.[1] ?? /^\*\*([^*]+)\*\*:?\s*$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ heading: heading.trim(), text: '' });
    else {
      const last = sections.at(-1);
      if (last) last.text += `${line}\n`;
    }
  }
  return sections;
}
