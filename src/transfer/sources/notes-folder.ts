/** Reads folders of notes that Claude Code, Codex or basic-memory wrote. */
import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { projectTag } from '../../domain/tags.js';
import { projectOf } from '../../project/project.js';
import { type FoundFile, filesIn } from '../files.js';
import { isNoteName, type NoteFile, readNoteFile } from '../markdown/note-record.js';
import { claudeMemoryFolders } from './claude-projects.js';
import {
  type Found,
  instantIn,
  metadataOf,
  objectIn,
  type SourceName,
  type SourceRelation,
  tagsIn,
  textIn,
} from './source.js';

/** The file that lists the other files of a folder of Claude Code. A simple folder contains only this file. */
const INDEX = 'memory.md';
const WIKI_LINK = /\[\[([^\]|#\n]{1,200})/g;
const FILE_LINK = /\]\(([^)\s#]{1,200}\.md)\)/gi;
const HASHTAG = /(?:^|\s)#([\p{L}\p{N}][\p{L}\p{N}/_-]{0,60})/gu;
const BULLET = /^[ \t]{0,40}[-*][ \t]/;
const LINK_TO_FILE = /\]\([^)\s]{1,200}\.md\)/i;

interface FolderNote extends NoteFile {
  name: string;
}

async function* read(path: string, source: SourceName): AsyncGenerator<Found> {
  if (source !== 'claude-code') {
    yield* notesIn(path, { source, scope: `${await folderName(path)}/`, tags: [] });
    return;
  }
  for (const { folder, encoded, project } of await claudeMemoryFolders(path)) {
    const scope = `${encoded ?? project ?? (await folderName(folder))}/`;
    yield* notesIn(folder, { source, scope, tags: project === undefined ? [] : [`project:${project}`] });
  }
}

/** Name of a folder, or of the folder around a file. It tells notes of the same name in several folders apart. */
async function folderName(path: string): Promise<string> {
  const whole = resolve(path);
  return basename((await stat(whole)).isDirectory() ? whole : dirname(whole));
}

interface FolderContext {
  source: SourceName;
  /** Precedes the names of the files in keys. */
  scope: string;
  /** Tags of all memories of the folder. */
  tags: readonly string[];
}

async function* notesIn(folder: string, context: FolderContext): AsyncGenerator<Found> {
  const { source, scope } = context;
  const names = createNames();
  for await (const file of filesIn(folder, isNoteName))
    names.add(file.name, source === 'basic-memory' ? await quietNote(file) : undefined);
  for await (const file of filesIn(folder, isNoteName)) {
    try {
      const note = await readFolderNote(file);
      const isSectioned = source !== 'basic-memory' && Object.keys(note.fields).length === 0;
      if (isSectioned) yield* sectionsOf(note, context);
      else yield recordOf(note, { ...context, names });
    } catch (error) {
      const problem = error instanceof MemoryError ? messageOf(error) : unreadable(error);
      if (problem === undefined) throw error;
      yield { kind: 'notes', place: `${scope}${file.name}`, problem };
    }
  }
}

/** Returns the problem of a file that the system does not let this process read. */
function unreadable(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EACCES' || code === 'EPERM' ? 'cannot be read: permission denied' : undefined;
}

async function readFolderNote({ path, name }: FoundFile): Promise<FolderNote> {
  return { ...(await readNoteFile(path)), name };
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

function recordOf(
  { fields, body, name, modifiedMs }: FolderNote,
  { source, scope, tags, names }: FolderContext & { names: Names },
): Found {
  const key = `${scope}${name}`;
  if (body.trim() === '') return { kind: 'notes', place: key, problem: 'has no text', severity: 'expected' };
  const title = textIn(fields, 'title', 'name');
  const description = textIn(fields, 'description');
  const changed = instantIn(fields, 'modified', 'updated', 'updated_at');
  const hashtags = source === 'basic-memory' ? [...body.matchAll(HASHTAG)].map(([, tag = '']) => tag) : [];
  return {
    kind: 'notes',
    key,
    content: [...(title !== undefined && !body.includes(title) ? [title] : []), body.trim()].join('\n\n'),
    timestamp: instantIn(fields, 'created', 'created_at', 'date') ?? changed,
    updatedAt: changed,
    modifiedMs,
    tags: [...tags, ...tagsIn(fields, 'tags'), ...hashtags],
    type: textIn(fields, 'type') ?? textIn(objectIn(fields, 'metadata'), 'type'),
    metadata: metadataOf({ title, description, permalink: textIn(fields, 'permalink') }),
    relations: relationsIn(body, name, names).map(relation => ({ ...relation, to: `${scope}${relation.to}` })),
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
async function* sectionsOf(
  { body, name, modifiedMs }: FolderNote,
  { source, scope, tags }: FolderContext,
): AsyncGenerator<Found> {
  const used = new Map<string, number>();
  let hasText = false;
  let group: TaskGroup | undefined;
  for (const { heading, text } of splitSections(body)) {
    if (source === 'codex' && TASK_GROUP.test(heading)) group = await taskGroup(heading, text);
    const lines = text.split('\n').filter(line => line.trim() !== '');
    const isIndex = basename(name).toLowerCase() === INDEX && lines.every(line => LINK_TO_FILE.test(line));
    if (lines.length === 0 || isIndex) continue;
    hasText = true;
    const count = (used.get(heading) ?? 0) + 1;
    used.set(heading, count);
    yield {
      kind: 'sections',
      key: `${scope}${name}#${heading}${count === 1 ? '' : `#${count}`}`,
      place: `${scope}${name}, section ${heading === '' ? 'without a heading' : heading}`,
      content: [...new Set([group?.title ?? '', heading, text.trim()])].filter(part => part !== '').join('\n'),
      modifiedMs,
      tags: [...tags, ...(group?.tags ?? [])],
      metadata: { file: name },
    };
  }
  if (hasText) return;
  const problem = 'has no text except links to other files';
  yield { kind: 'sections', place: `${scope}${name}`, problem, severity: 'expected' };
}

/** Codex groups the sections of its memory by the work that they are about. */
interface TaskGroup {
  title: string;
  tags: readonly string[];
}

const TASK_GROUP = /^Task Group:/;
/** The folder to which a group applies. Other programs list several, and Codex may not know it. */
const APPLIES_TO = /^applies_to:[ \t]*cwd=((?:\/|[A-Za-z]:\\)[^;\n]{1,1000})/m;

async function taskGroup(title: string, text: string): Promise<TaskGroup> {
  const folder = APPLIES_TO.exec(text)?.[1]?.trim();
  const isOne = folder !== undefined && !/ and (?:\/|[A-Za-z]:\\)/.test(folder);
  const project = isOne ? await projectOf(folder) : undefined;
  return { title, tags: project === undefined ? [] : [projectTag(project.name)] };
}

export interface Section {
  /** Empty for the text before the first heading. */
  heading: string;
  text: string;
}

/** Splits Markdown into sections, which begin at headings and at lines that are entirely bold, but not within code. */
export function splitSections(body: string): Section[] {
  const sections: Section[] = [{ heading: '', text: '' }];
  let fence: string | undefined;
  for (const line of body.split(/\r?\n/)) {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) fence = marker;
    else if (marker?.startsWith(fence)) fence = undefined;
    const heading = fence === undefined ? headingIn(line) : undefined;
    if (heading !== undefined) sections.push({ heading: heading.trim(), text: '' });
    else {
      const last = sections.at(-1);
      if (last) last.text += `${line}\n`;
    }
  }
  return sections;
}

function headingIn(line: string): string | undefined {
  return /^#{1,6}\s+(.+)$/.exec(line)?.[1] ?? /^\*\*([^*]+)\*\*:?\s*$/.exec(line)?.[1];
}

export const claudeCode = (path: string) => read(path, 'claude-code');
export const codex = (path: string) => read(path, 'codex');
export const basicMemory = (path: string) => read(path, 'basic-memory');
