/** Reads the data export of ChatGPT. A conversation is a tree of messages, of which only the current branch is read. */
import { stat } from 'node:fs/promises';
import { isPlainObject } from '../../domain/json.js';
import { openDataExport } from './data-export.js';
import { episodesOf, type Turn } from './episodes.js';
import { jsonItems } from './json-items.js';
import type { Found, Source } from './source.js';
import { type Fields, instantIn, listIn, objectIn, textIn } from './values.js';

const SPEAKERS = new Map([
  ['user', 'User'],
  ['assistant', 'Assistant'],
]);
const TURNS_MAX = 100_000;

export async function chatgpt(path: string): Promise<Source> {
  const { mtimeMs } = await stat(path);
  return { name: 'chatgpt', modifiedMs: mtimeMs, read: () => read(path) };
}

async function* read(path: string): AsyncGenerator<Found> {
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
  while (id !== undefined && !seen.has(id) && path.length < TURNS_MAX) {
    seen.add(id);
    const node = nodeIn(mapping, id);
    path.push(objectIn(node, 'message'));
    id = textIn(node, 'parent');
  }
  for (const message of path.reverse()) {
    const turn = turnOf(message);
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

function turnOf(message: Fields): Turn | undefined {
  const speaker = SPEAKERS.get(textIn(objectIn(message, 'author'), 'role') ?? '');
  if (speaker === undefined || objectIn(message, 'metadata').is_visually_hidden_from_conversation === true)
    return undefined;
  const parts = listIn(objectIn(message, 'content'), 'parts').filter(part => typeof part === 'string');
  const text = parts.join('\n').trim();
  return text === '' ? undefined : { speaker, text, at: instantIn(message, 'create_time') };
}
