/** Reads the data export of Claude: conversations, and the memories about the person and about each project. */
import { stat } from 'node:fs/promises';
import { isPlainObject } from '../../domain/json.js';
import { openDataExport } from './data-export.js';
import { episodesOf, type Turn } from './episodes.js';
import { jsonItems } from './json-items.js';
import { splitSections } from './notes-folder.js';
import type { Found, Source, SourceRecord } from './source.js';
import { type Fields, instantIn, objectIn, objectsIn, textIn } from './values.js';

export async function claude(path: string): Promise<Source> {
  const { mtimeMs } = await stat(path);
  return { name: 'claude', modifiedMs: mtimeMs, read: () => read(path) };
}

async function* read(path: string): AsyncGenerator<Found> {
  const { files, close } = await openDataExport(path);
  try {
    for (const { name, chunks } of files) {
      let index = 0;
      for await (const item of jsonItems(chunks(), name)) {
        const place = `${name}, item ${index++}`;
        if (!isPlainObject(item)) yield { kind: 'episodes', place, problem: 'is not an object' };
        else if ('conversations_memory' in item || 'project_memories' in item) yield* memoriesOf(item);
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
  const turns = objectsIn(item, 'chat_messages').flatMap(turnOf);
  if (turns.length === 0) yield { kind: 'episodes', place, problem: 'has no text', severity: 'expected' };
  const key = textIn(item, 'uuid') ?? place;
  yield* episodesOf({ key, title: textIn(item, 'name'), startedAt: instantIn(item, 'created_at'), turns });
}

function turnOf(message: Fields): Turn[] {
  const spoken = objectsIn(message, 'content').flatMap(part =>
    part.type === 'text' ? (textIn(part, 'text') ?? []) : [],
  );
  const text = textIn(message, 'text') ?? spoken.join('\n').trim();
  const speaker = message.sender === 'human' ? 'User' : 'Assistant';
  return text === '' ? [] : [{ speaker, text, at: instantIn(message, 'created_at') }];
}

function* memoriesOf(item: Fields): Generator<SourceRecord> {
  yield* sectionRecords('memory', textIn(item, 'conversations_memory') ?? '', []);
  const projects = objectIn(item, 'project_memories');
  for (const project of Object.keys(projects)) {
    yield* sectionRecords(`project/${project}`, textIn(projects, project) ?? '', [`project:${project}`]);
  }
}

function* sectionRecords(key: string, text: string, tags: string[]): Generator<SourceRecord> {
  for (const { heading, text: said } of splitSections(text)) {
    if (said.trim() === '') continue;
    const content = heading === '' ? said.trim() : `${heading}\n${said.trim()}`;
    yield { kind: 'memories', key: `${key}#${heading}`, content, tags };
  }
}
