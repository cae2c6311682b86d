/** Reads the SQLite file or the JSON export of mcp-memory-service. */
import { isPlainObject } from '../../domain/json.js';
import { headOf, readBounded } from '../files.js';
import {
  type Fields,
  type Found,
  instantIn,
  listIn,
  metadataOf,
  objectIn,
  parseJson,
  type SourceRelation,
  shareIn,
  tagsIn,
  textIn,
  wrongShape,
} from './source.js';
import { openSqlite, SQLITE_MAGIC } from './sqlite-file.js';

const KIND = 'memories';

export async function* mcpMemoryService(path: string): AsyncGenerator<Found> {
  yield* (await headOf(path)).startsWith(SQLITE_MAGIC) ? readSqlite(path) : readJson(path);
}

async function* readJson(path: string): AsyncGenerator<Found> {
  const { bytes } = await readBounded(path);
  const document = parseJson(bytes.toString('utf8'), path);
  if (!isPlainObject(document) || !Array.isArray(document.memories)) {
    throw wrongShape(path, 'an object with the list "memories"');
  }
  for (const [index, entry] of listIn(document, 'memories').entries()) {
    if (isPlainObject(entry)) yield foundIn(entry, `memory ${index}`, new Map());
    else yield { kind: KIND, place: `memory ${index}`, problem: 'is not an object' };
  }
}

async function* readSqlite(path: string): AsyncGenerator<Found> {
  const file = await openSqlite(path);
  try {
    if (!file.tables.has('memories')) throw wrongShape(path, 'an SQLite file with the table "memories"');
    const similar = new Map<string, SourceRelation[]>();
    if (file.tables.has('memory_graph')) {
      for await (const edge of file.rows('memory_graph')) {
        const from = textIn(edge, 'source_hash');
        const to = textIn(edge, 'target_hash');
        if (from === undefined || to === undefined) continue;
        const strength = shareIn(edge, 'similarity');
        const relation: SourceRelation = { to, type: 'RELATES_TO', ...(strength !== undefined && { strength }) };
        const known = similar.get(from);
        if (known) known.push(relation);
        else similar.set(from, [relation]);
      }
    }
    for await (const row of file.rows('memories')) yield foundIn(row, `row ${row.__row}`, similar);
  } finally {
    await file.close();
  }
}

function foundIn(fields: Fields, place: string, similar: ReadonlyMap<string, SourceRelation[]>): Found {
  const content = textIn(fields, 'content');
  if (content === undefined) return { kind: KIND, place, problem: 'has no content' };
  if (fields.deleted_at !== undefined && fields.deleted_at !== null) {
    return { kind: KIND, place, problem: 'was deleted', severity: 'expected' };
  }
  const key = textIn(fields, 'content_hash', 'hash', 'id') ?? content;
  const successor = textIn(fields, 'superseded_by');
  const parent = textIn(fields, 'parent_id');
  const updatedAt = instantIn(fields, 'updated_at', 'updated_at_iso');
  return {
    kind: KIND,
    key,
    place,
    content,
    timestamp: instantIn(fields, 'created_at', 'created_at_iso', 'timestamp'),
    updatedAt,
    tags: tagsIn(fields, 'tags'),
    type: textIn(fields, 'memory_type'),
    confidence: shareIn(fields, 'confidence'),
    metadata: metadataOf(objectIn(fields, 'metadata')),
    ...(successor !== undefined && { validUntil: updatedAt }),
    relations: [
      ...(similar.get(key) ?? []),
      ...(successor === undefined ? [] : [{ to: successor, type: 'EVOLVED_INTO' as const, strength: 1 }]),
      ...(parent === undefined ? [] : [{ to: parent, type: 'DERIVED_FROM' as const }]),
    ],
  };
}
