/** The knowledge graph of @modelcontextprotocol/server-memory: JSON Lines of entities and relations. */
import { stat } from 'node:fs/promises';
import { MemoryError } from '../../domain/errors.js';
import { isPlainObject } from '../../domain/json.js';
import { readLines } from '../lines.js';
import type { Found, Source, SourceRecord } from './source.js';
import { type Fields, listIn, parseJson, textIn } from './values.js';

interface Entity {
  name: string;
  entityType: string;
  observations: string[];
}

interface Relation {
  from: string;
  to: string;
  relationType: string;
}

const ENTRIES_MAX = 500_000;

export async function serverMemory(path: string): Promise<Source> {
  const { mtimeMs } = await stat(path);
  return { name: 'server-memory', modifiedMs: mtimeMs, read: () => read(path) };
}

async function* read(path: string): AsyncGenerator<Found> {
  const entities = new Map<string, Entity>();
  const relations: Relation[] = [];
  for await (const lines of readLines(path)) {
    for (const { text, number } of lines) {
      if (text.trim() === '') continue;
      const entry = parseJson(text, `Line ${number}`);
      const place = `line ${number}`;
      const entity = isPlainObject(entry) ? entityOf(entry) : undefined;
      const relation = isPlainObject(entry) && !entity ? relationOf(entry) : undefined;
      if (entity) entities.set(entity.name, merged(entities.get(entity.name), entity));
      else if (relation) relations.push(relation);
      else yield { kind: 'entities', place, problem: 'is neither an entity nor a relation' };
      if (entities.size + relations.length > ENTRIES_MAX) {
        throw new MemoryError('too_large', `${path} has more than ${ENTRIES_MAX} entities and relations`);
      }
    }
  }
  const leading = new Map<string, Relation[]>();
  for (const relation of relations) {
    if (!entities.has(relation.from) || !entities.has(relation.to)) {
      const place = `${relation.from} ${relation.relationType} ${relation.to}`;
      yield { kind: 'relations', place, problem: 'leads from or to an entity that is not in the file' };
    } else leading.set(relation.from, [...(leading.get(relation.from) ?? []), relation]);
  }
  for (const entity of entities.values()) yield* recordsOf(entity, leading.get(entity.name) ?? []);
}

function entityOf(fields: Fields): Entity | undefined {
  const name = textIn(fields, 'name', 'entityName');
  if (fields.type !== 'entity' || name === undefined) return undefined;
  const observations = listIn(fields, 'observations').filter((text): text is string => typeof text === 'string');
  return { name, entityType: textIn(fields, 'entityType', 'entity_type') ?? 'thing', observations };
}

function relationOf(fields: Fields): Relation | undefined {
  const from = textIn(fields, 'from', 'from_id');
  const to = textIn(fields, 'to', 'to_id');
  const relationType = textIn(fields, 'relationType', 'relation_type');
  const isWhole = fields.type === 'relation' && from !== undefined && to !== undefined && relationType !== undefined;
  return isWhole ? { from, to, relationType } : undefined;
}

function merged(known: Entity | undefined, entity: Entity): Entity {
  return { ...entity, observations: [...new Set([...(known?.observations ?? []), ...entity.observations])] };
}

/**
 * Yields a memory for the entity with its relations. Then yields a memory for each observation, with an edge to the
 * memory of the entity.
 */
function* recordsOf(
  { name, entityType, observations }: Entity,
  relations: readonly Relation[],
): Generator<SourceRecord> {
  const tags = [entityType.replaceAll(',', ' ')];
  const metadata = { entity: name, entity_type: entityType };
  const facts = relations.map(({ relationType, to }) => `${name} ${relationType} ${to}.`);
  yield {
    kind: 'entities',
    key: name,
    content: [`${name} (${entityType})`, ...new Set(facts)].join('\n'),
    tags,
    metadata: {
      ...metadata,
      ...(relations.length > 0 && { relations: relations.map(({ relationType, to }) => ({ type: relationType, to })) }),
    },
    relations: relations.map(({ to }) => ({ to, type: 'RELATES_TO' })),
  };
  for (const observation of observations) {
    yield {
      kind: 'observations',
      key: `${name}\n${observation}`,
      content: `${name}: ${observation}`,
      tags,
      metadata,
      relations: [{ to: name, type: 'PART_OF' }],
    };
  }
}
