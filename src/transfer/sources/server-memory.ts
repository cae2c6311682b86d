/**
 * The knowledge graph of @modelcontextprotocol/server-memory: entities and relations, in JSON Lines as in its file, in one
 * list, or in an object with two lists as in the answers of its tools.
 */
import type { Metadata } from '../../domain/json.js';
import { type JsonRecord, jsonRecords } from './json-records.js';
import { type Fields, type Found, metadataOf, type SourceRecord, textIn } from './source.js';

interface Entity {
  name: string;
  place: string;
  entityType: string;
  /** Texts with their places. */
  observations: Map<string, string>;
  others: Metadata;
}

interface Relation {
  from: string;
  to: string;
  relationType: string;
  place: string;
}

interface Graph {
  entities: Map<string, Entity>;
  relations: Relation[];
}

const LISTS = ['entities', 'relations'];
/** Length of the facts in one memory. The facts of an entity with more relations are divided among several memories. */
const FACTS_MAX_CHARACTERS = 8_000;
const ENTITY_FIELDS = new Set(['type', 'name', 'entityName', 'entityType', 'entity_type', 'observations']);

export async function* serverMemory(path: string): AsyncGenerator<Found> {
  const graph: Graph = { entities: new Map(), relations: [] };
  for await (const record of jsonRecords(path, LISTS)) {
    const problem = 'problem' in record ? record.problem : noteRecord(graph, record);
    if (problem !== undefined) yield { kind: record.list ?? 'entities', place: record.place, problem };
  }
  const leading = new Map<string, Relation[]>();
  for (const relation of graph.relations) {
    const { from, to, place } = relation;
    if (!graph.entities.has(from) || !graph.entities.has(to)) {
      const problem = 'leads from or to an entity that is not in the file';
      yield { kind: 'relations', place, problem, severity: 'incomplete' };
      continue;
    }
    const known = leading.get(from);
    if (known) known.push(relation);
    else leading.set(from, [relation]);
  }
  for (const entity of graph.entities.values()) yield* recordsOf(entity, leading.get(entity.name) ?? []);
}

/** @returns the problem of a record that is neither an entity nor a relation */
function noteRecord(graph: Graph, record: Extract<JsonRecord, { fields: Fields }>): string | undefined {
  const { fields, list } = record;
  const isRelation = list === 'relations' || fields.type === 'relation' || 'relationType' in fields;
  if (isRelation) return noteRelation(graph, record);
  const isEntity = list === 'entities' || fields.type === 'entity' || 'entityType' in fields;
  return isEntity ? noteEntity(graph, record) : 'is neither an entity nor a relation';
}

function noteEntity({ entities }: Graph, { fields, place }: { fields: Fields; place: string }): string | undefined {
  const name = textIn(fields, 'name', 'entityName');
  if (name === undefined) return 'is an entity without a name';
  const observations = fields.observations ?? [];
  const texts = typeof observations === 'string' ? [observations] : observations;
  if (!Array.isArray(texts) || !texts.every(text => typeof text === 'string')) {
    return 'is an entity with observations that are not texts';
  }
  const entity = entities.get(name) ?? { name, place, entityType: 'thing', observations: new Map(), others: {} };
  entity.entityType = textIn(fields, 'entityType', 'entity_type') ?? entity.entityType;
  const others = Object.entries(fields).filter(([key]) => !ENTITY_FIELDS.has(key));
  Object.assign(entity.others, metadataOf(Object.fromEntries(others)));
  for (const [index, text] of texts.entries()) {
    if (text.trim() !== '' && !entity.observations.has(text)) {
      entity.observations.set(text, `${place}, observation ${index + 1}`);
    }
  }
  entities.set(name, entity);
  return undefined;
}

function noteRelation({ relations }: Graph, { fields, place }: { fields: Fields; place: string }): string | undefined {
  const from = textIn(fields, 'from', 'from_id');
  const to = textIn(fields, 'to', 'to_id');
  const relationType = textIn(fields, 'relationType', 'relation_type');
  if (from === undefined || to === undefined || relationType === undefined) {
    return 'is a relation without its ends or its type';
  }
  relations.push({ from, to, relationType, place });
  return undefined;
}

/**
 * Yields a memory for the entity with its relations. Then yields a memory for each observation, with an edge to the
 * memory of the entity.
 */
function* recordsOf(entity: Entity, relations: readonly Relation[]): Generator<SourceRecord> {
  const { name, place, entityType, observations, others } = entity;
  const tags = [entityType.replaceAll(',', ' ')];
  const metadata = { ...others, entity: name, entity_type: entityType };
  const [first = [], ...further] = inParts(uniqueRelations(relations));
  yield {
    kind: 'entities',
    key: name,
    place,
    content: factsOf(entity, first),
    tags,
    metadata: { ...metadata, ...relationsIn(first) },
    relations: relations.map(({ to }) => ({ to, type: 'RELATES_TO' })),
  };
  for (const [index, part] of further.entries()) {
    yield {
      kind: 'entities',
      key: `${name}\nrelations ${index + 2}`,
      place,
      content: factsOf(entity, part),
      tags,
      metadata: { ...metadata, ...relationsIn(part) },
      relations: [{ to: name, type: 'PART_OF' }],
    };
  }
  for (const [observation, at] of observations) {
    yield {
      kind: 'observations',
      key: `${name}\n${observation}`,
      place: at,
      content: `${name}: ${observation}`,
      tags,
      metadata,
      relations: [{ to: name, type: 'PART_OF' }],
    };
  }
}

function uniqueRelations(relations: readonly Relation[]): Relation[] {
  return [...new Map(relations.map(relation => [`${relation.relationType}\n${relation.to}`, relation])).values()];
}

function inParts(relations: readonly Relation[]): Relation[][] {
  const parts: Relation[][] = [];
  let length = Infinity;
  for (const relation of relations) {
    const added = relation.relationType.length + relation.to.length + relation.from.length;
    if (length + added > FACTS_MAX_CHARACTERS) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(relation);
    length += added;
  }
  return parts;
}

function factsOf({ name, entityType }: Entity, relations: readonly Relation[]): string {
  const facts = relations.map(({ relationType, to }) => `${name} ${relationType} ${to}.`);
  return [`${name} (${entityType})`, ...facts].join('\n');
}

function relationsIn(relations: readonly Relation[]): Metadata {
  if (relations.length === 0) return {};
  return { relations: relations.map(({ relationType, to }) => ({ type: relationType, to })) };
}
