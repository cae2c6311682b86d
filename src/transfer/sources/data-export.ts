/**
 * Reads the data exports of ChatGPT and Claude: a zip file, a folder, or a single file. A conversation is split into
 * episodes, each of which becomes a memory. Claude's export also has memories about the person and about each project.
 */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MemoryError } from '../../domain/errors.js';
import { isPlainObject } from '../../domain/json.js';
import type { RelationType } from '../../domain/relation.js';
import { chunksOf } from '../files.js';
import { jsonParts } from './json-records.js';
import { splitSections } from './notes-folder.js';
import {
  type Fields,
  type Found,
  instantIn,
  listIn,
  objectIn,
  objectsIn,
  parseJson,
  type SourceRecord,
  textIn,
} from './source.js';
import { openZip } from './zip-entries.js';

interface ExportedFile {
  /** Without folders. */
  name: string;
  chunks(): AsyncIterable<Buffer>;
}

interface DataExport {
  files: ExportedFile[];
  close(): void;
}

const WANTED = /^(?:conversations(?:-\d+)?|memories)\.json$/;

/** @throws MemoryError like `openZip` */
async function openDataExport(path: string): Promise<DataExport> {
  if ((await stat(path)).isDirectory()) {
    const entries = await readdir(path, { withFileTypes: true });
    const names = entries.filter(entry => entry.isFile() && WANTED.test(entry.name)).map(({ name }) => name);
    return {
      files: names.sort().map(name => ({ name, chunks: () => chunksOf(join(path, name)) })),
      close: () => {},
    };
  }
  if (!path.toLowerCase().endsWith('.zip')) {
    return { files: [{ name: basename(path), chunks: () => chunksOf(path) }], close: () => {} };
  }
  const zip = await openZip(path);
  const names = zip.names.filter(name => WANTED.test(basename(name))).sort();
  return {
    files: names.map(name => ({ name: basename(name), chunks: () => zip.read(name) })),
    close: () => zip.close(),
  };
}

/**
 * Yields the items.
 *
 * @param name name of the file, for messages
 * @throws MemoryError `invalid` for text that is not an array, has an invalid item or was cut off, `too_large` for an
 * item above 64 MiB
 */
async function* jsonItems(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<unknown> {
  for await (const part of jsonParts(chunks, name)) {
    if ('problem' in part) throw new MemoryError('invalid', `${name}: ${part.place} ${part.problem}`);
    yield parseJson(part.text, name);
  }
}

interface Turn {
  speaker: string;
  text: string;
  /** ISO 8601. */
  at?: string | undefined;
}

interface Conversation {
  key: string;
  title: string | undefined;
  /** Time of turns without a time of their own, in ISO 8601. */
  startedAt: string | undefined;
  turns: Iterable<Turn>;
}

/** Length of an episode: long enough for a question with its answer, short enough for a single subject. */
const EPISODE_CHARACTERS = 3_000;
const BEFORE: RelationType = 'OCCURRED_BEFORE';

/** Yields the episodes. Each episode has an edge to the next episode. */
function* episodesOf({ key, title, startedAt, turns }: Conversation): Generator<SourceRecord> {
  const parts = [...cut(turns)];
  for (const [index, { text, at }] of parts.entries()) {
    const isLast = index === parts.length - 1;
    yield {
      kind: 'episodes',
      key: `${key}#${index}`,
      content: title === undefined ? text : `${title}\n\n${text}`,
      timestamp: at ?? startedAt,
      tags: ['conversation'],
      metadata: { conversation: key, part: index + 1, parts: parts.length, ...(title !== undefined && { title }) },
      relations: isLast ? [] : [{ to: `${key}#${index + 1}`, type: BEFORE }],
    };
  }
}

function* cut(turns: Iterable<Turn>): Generator<{ text: string; at: string | undefined }> {
  let text = '';
  let at: string | undefined;
  for (const turn of turns) {
    for (const slice of slicesOf(turn.text)) {
      const line = `${turn.speaker}: ${slice}`;
      if (text !== '' && text.length + line.length > EPISODE_CHARACTERS) {
        yield { text, at };
        text = '';
        at = undefined;
      }
      text = text === '' ? line : `${text}\n\n${line}`;
      at ??= turn.at;
    }
  }
  if (text !== '') yield { text, at };
}

function* slicesOf(text: string): Generator<string> {
  const whole = text.replaceAll('\0', '').trim();
  for (let start = 0; start < whole.length; start += EPISODE_CHARACTERS) {
    yield whole.slice(start, start + EPISODE_CHARACTERS).toWellFormed();
  }
}

const SPEAKERS = new Map([
  ['user', 'User'],
  ['assistant', 'Assistant'],
]);

/** A conversation of ChatGPT is a tree of messages, of which only the current branch is read. */
export async function* chatgpt(path: string): AsyncGenerator<Found> {
  const { files, close } = await openDataExport(path);
  try {
    for (const { name, chunks } of files) {
      let index = 0;
      for await (const item of jsonItems(chunks(), name)) {
        const place = `${name}, conversation ${index++}`;
        if (!isPlainObject(item) || !isPlainObject(item.mapping)) {
          yield { kind: 'episodes', place, problem: 'is not a conversation' };
          continue;
        }
        const turns = [...turnsOf(item)];
        if (turns.length === 0) yield { kind: 'episodes', place, problem: 'has no text', severity: 'expected' };
        const startedAt = instantIn(item, 'create_time', 'update_time');
        const key = textIn(item, 'conversation_id', 'id') ?? place;
        yield* episodesOf({ key, title: textIn(item, 'title'), startedAt, turns });
      }
    }
  } finally {
    close();
  }
}

/**
 * Yields the turns of the current branch, first message first. If the export does not name the last message of the
 * branch, the branch ends with the newest leaf.
 */
function* turnsOf(conversation: Fields): Generator<Turn> {
  const mapping = objectIn(conversation, 'mapping');
  const path: Fields[] = [];
  const seen = new Set<string>();
  let id = textIn(conversation, 'current_node') ?? newestLeaf(mapping);
  while (id !== undefined && !seen.has(id)) {
    seen.add(id);
    const node = nodeIn(mapping, id);
    path.push(objectIn(node, 'message'));
    id = textIn(node, 'parent');
  }
  for (const message of path.reverse()) {
    const turn = chatgptTurn(message);
    if (turn) yield turn;
  }
}

function nodeIn(mapping: Fields, id: string): Fields {
  return Object.hasOwn(mapping, id) ? objectIn(mapping, id) : {};
}

function newestLeaf(mapping: Fields): string | undefined {
  const leaves = Object.keys(mapping).filter(id => listIn(nodeIn(mapping, id), 'children').length === 0);
  const timeOf = (id: string) => instantIn(objectIn(nodeIn(mapping, id), 'message'), 'create_time') ?? '';
  return leaves.sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1)).at(-1);
}

function chatgptTurn(message: Fields): Turn | undefined {
  const speaker = SPEAKERS.get(textIn(objectIn(message, 'author'), 'role') ?? '');
  if (speaker === undefined || objectIn(message, 'metadata').is_visually_hidden_from_conversation === true)
    return undefined;
  const parts = listIn(objectIn(message, 'content'), 'parts').filter(part => typeof part === 'string');
  const text = parts.join('\n').trim();
  return text === '' ? undefined : { speaker, text, at: instantIn(message, 'create_time') };
}

export async function* claude(path: string): AsyncGenerator<Found> {
  const { files, close } = await openDataExport(path);
  const used = new Map<string, number>();
  try {
    for (const { name, chunks } of files) {
      let index = 0;
      for await (const item of jsonItems(chunks(), name)) {
        const place = `${name}, item ${index++}`;
        if (!isPlainObject(item)) yield { kind: 'episodes', place, problem: 'is not an object' };
        else if ('conversations_memory' in item || 'project_memories' in item) yield* memoriesOf(item, used);
        else yield* conversationOf(item, place);
      }
    }
  } finally {
    close();
  }
}

function* conversationOf(item: Fields, place: string): Generator<Found> {
  if (!Array.isArray(item.chat_messages)) {
    yield { kind: 'episodes', place, problem: 'is not a conversation' };
    return;
  }
  const turns = objectsIn(item, 'chat_messages').flatMap(claudeTurns);
  if (turns.length === 0) yield { kind: 'episodes', place, problem: 'has no text', severity: 'expected' };
  const key = textIn(item, 'uuid') ?? place;
  yield* episodesOf({ key, title: textIn(item, 'name'), startedAt: instantIn(item, 'created_at'), turns });
}

function claudeTurns(message: Fields): Turn[] {
  const spoken = objectsIn(message, 'content').flatMap(part =>
    part.type === 'text' ? (textIn(part, 'text') ?? []) : [],
  );
  const text = textIn(message, 'text') ?? spoken.join('\n').trim();
  const speaker = message.sender === 'human' ? 'User' : 'Assistant';
  return text === '' ? [] : [{ speaker, text, at: instantIn(message, 'created_at') }];
}

/** @param used how often each key has occurred in the export: several texts, or sections of one, may have one heading */
function* memoriesOf(item: Fields, used: Map<string, number>): Generator<SourceRecord> {
  const projects = objectIn(item, 'project_memories');
  const texts = [
    { place: 'memory', text: textIn(item, 'conversations_memory'), tags: [] },
    ...Object.keys(projects).map(project => {
      return { place: `project/${project}`, text: textIn(projects, project), tags: [`project:${project}`] };
    }),
  ];
  for (const { place, text = '', tags } of texts) {
    for (const { heading, text: section } of splitSections(text)) {
      if (section.trim() === '') continue;
      const key = `${place}#${heading}`;
      const count = (used.get(key) ?? 0) + 1;
      used.set(key, count);
      const content = heading === '' ? section.trim() : `${heading}\n${section.trim()}`;
      yield { kind: 'memories', key: count === 1 ? key : `${key}#${count}`, content, tags };
    }
  }
}
