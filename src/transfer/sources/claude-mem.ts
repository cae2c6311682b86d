/** The database of claude-mem: observations and summaries of sessions. */
import {
  type Fields,
  type Found,
  instantIn,
  keyOf,
  metadataOf,
  type SourceRecord,
  tagsIn,
  textIn,
  wrongShape,
} from './source.js';
import { openSqlite, type SqliteFile } from './sqlite-file.js';

/** Types of observations, with the corresponding types of Engraph. */
const TYPES = new Map([
  ['decision', 'Decision'],
  ['discovery', 'Insight'],
  ['bugfix', 'Insight'],
]);
const SUMMARY_PARTS = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'] as const;

export async function* claudeMem(path: string): AsyncGenerator<Found> {
  const file = await openSqlite(path);
  try {
    if (!file.tables.has('observations')) throw wrongShape(path, 'an SQLite file with the table "observations"');
    for await (const row of file.rows('observations')) yield observationOf(row);
    yield* summariesIn(file);
    if (!file.tables.has('user_prompts')) return;
    for await (const row of file.rows('user_prompts')) {
      yield {
        kind: 'prompts',
        place: `user_prompts, row ${row.__row}`,
        problem: 'is a prompt, which is a question or a request and not a fact',
        severity: 'expected',
      };
    }
  } finally {
    await file.close();
  }
}

async function* summariesIn(file: SqliteFile): AsyncGenerator<Found> {
  if (!file.tables.has('session_summaries')) return;
  for await (const row of file.rows('session_summaries')) yield summaryOf(row);
}

function common(row: Fields): Pick<SourceRecord, 'timestamp' | 'tags'> {
  const project = textIn(row, 'project');
  return {
    timestamp: instantIn(row, 'created_at_epoch', 'created_at'),
    tags: [...(project === undefined ? [] : [`project:${project}`]), ...tagsIn(row, 'concepts')],
  };
}

function observationOf(row: Fields): Found {
  const place = `observations, row ${row.__row}`;
  const [title, subtitle] = [textIn(row, 'title'), textIn(row, 'subtitle')];
  const narrative = textIn(row, 'narrative', 'text');
  const facts = tagsIn(row, 'facts').map(fact => `- ${fact}`);
  const content = [title, subtitle, narrative, facts.join('\n')]
    .filter(part => part !== undefined && part !== '')
    .join('\n');
  if (content === '') return { kind: 'observations', place, problem: 'has no text', severity: 'expected' };
  const type = textIn(row, 'type');
  const session = textIn(row, 'memory_session_id', 'sdk_session_id');
  return {
    ...common(row),
    kind: 'observations',
    key: `observation/${keyOf(String(row.id ?? row.__row), content)}`,
    content,
    type: TYPES.get(type ?? '') ?? type,
    metadata: metadataOf({
      session,
      files_read: listOrNone(row, 'files_read'),
      files_modified: listOrNone(row, 'files_modified'),
    }),
  };
}

function listOrNone(row: Fields, name: string): string[] | undefined {
  const items = tagsIn(row, name);
  return items.length === 0 ? undefined : items;
}

function summaryOf(row: Fields): Found {
  const place = `session_summaries, row ${row.__row}`;
  const parts = SUMMARY_PARTS.flatMap(name => {
    const text = textIn(row, name);
    return text === undefined ? [] : [`${name.replace('_', ' ')}: ${text}`];
  });
  if (parts.length === 0) return { kind: 'summaries', place, problem: 'has no text', severity: 'expected' };
  const content = parts.join('\n');
  const session = textIn(row, 'memory_session_id', 'sdk_session_id');
  return {
    ...common(row),
    kind: 'summaries',
    key: `summary/${keyOf(String(row.id ?? row.__row), content)}`,
    content,
    metadata: metadataOf({ session }),
  };
}
