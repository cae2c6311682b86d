/** Lists and counts memories, and ranks over all data. Each figure reads a small index of its own. */
import { type Condition, conditionsOf, isSetCondition, type SetField, setToken } from '../../domain/filter.js';
import type { Relation } from '../../domain/relation.js';
import { type Connection, GIVEN_ROWS, placeholders, type SqlValue } from '../database/connection.js';
import type { Figures, TypeCount } from '../graph-store.js';
import type { CountedMemories } from '../ports/memory-store.js';
import type { AuxiliaryNode } from '../ports/node-store.js';
import type { ListOrder, ListRequest } from '../ports/search-index.js';
import { filterClause, SET_ROWS } from './filter-clause.js';
import { KEYS_MAX, selectiveRows } from './filtered-rows.js';
import { type NodeRow, nodeOf } from './nodes.js';
import { edgeList, edgesIn } from './relations.js';
import { termFrequencies } from './words.js';

/** The orders of a list, each with its index. No index contains `id`, so SQLite sorts equal entries by `id` itself. */
const ORDERS: Record<ListOrder, { by: string; index: string }> = {
  importance: { by: 'importance DESC, timestamp_ms DESC, id', index: 'memories_by_importance' },
  newest: { by: 'timestamp_ms DESC, id', index: 'memories_by_timestamp' },
  oldest: { by: 'timestamp_ms, id', index: 'memories_by_timestamp' },
  updated_desc: { by: 'updated_ms DESC, timestamp_ms DESC, id', index: 'memories_by_update' },
  updated_asc: { by: 'updated_ms, timestamp_ms, id', index: 'memories_by_update' },
};

/**
 * Lists ids of memories in one of three ways. If few rows can pass the filter, the rows that pass are sorted. Otherwise,
 * if the filter asks for tags and an index lists their memories in the requested order, the memories of each tag are
 * read in this order until enough of them have passed the filter. In all other cases, all memories are read in this way.
 */
export function list(connection: Connection, { filter, order, limit, offset = 0 }: ListRequest): string[] {
  const conditions = conditionsOf(filter);
  const walk = isWalked(order) ? tagWalkOf(connection, conditions, order) : undefined;
  // Without other conditions, the walk reads no memory in vain.
  const rows = walk?.others.length === 0 ? undefined : selectiveRows(connection, conditions);
  const source = givenRows(rows) ?? (walk && readInOrder(walk, limit + offset)) ?? walkOf(ORDERS[order].index);
  const { text, values } = filterClause(conditions);
  return connection
    .all<{ id: string }>(
      `SELECT id FROM ${source.text} WHERE ${text} ORDER BY ${ORDERS[order].by} LIMIT ? OFFSET ?`,
      ...source.values,
      ...values,
      limit,
      offset,
    )
    .map(({ id }) => id);
}

/** A source of rows of `memories`, as the text that follows FROM. */
interface Source {
  text: string;
  values: SqlValue[];
}

function walkOf(index: string): Source {
  return { text: `memories INDEXED BY ${index}`, values: [] };
}

function givenRows(rows: readonly number[] | undefined): Source | undefined {
  return rows && { text: GIVEN_ROWS, values: [JSON.stringify(rows)] };
}

/** The orders in which an index lists the memories of a tag. */
type TagOrder = 'importance' | 'newest';

function isWalked(order: ListOrder): order is TagOrder {
  return order === 'importance' || order === 'newest';
}

/** Reads the memories that have any of the tags, in order. */
interface TagWalk {
  field: SetField;
  /** The tags. */
  keys: readonly string[];
  order: TagOrder;
  /** The bounds of the creation time, or empty. */
  window: readonly number[];
  /** Conditions that are checked for each memory. */
  others: readonly Condition[];
}

/** @returns undefined when a walk over tags cannot serve the filter */
function tagWalkOf(connection: Connection, conditions: readonly Condition[], order: TagOrder): TagWalk | undefined {
  const tags = conditions.filter(isSetCondition).find(({ needs }) => needs !== 'none');
  if (!tags || tags.values.length === 0 || tags.values.length > KEYS_MAX) return undefined;
  const { field, needs, values } = tags;
  const keys = needs === 'all' ? [rarestOf(connection, field, values)] : values;
  const more = needs === 'all' ? values.filter(value => !keys.includes(value)) : [];
  const created = conditions.find(condition => !isSetCondition(condition) && condition.field === 'createdMs');
  // Only the index by time can find the memories of a time window.
  const window = order === 'newest' && created && !isSetCondition(created) ? [created.least, created.most] : [];
  const others = [
    ...(more.length > 0 ? [{ ...tags, values: more }] : []),
    ...conditions.filter(condition => condition !== tags && (condition !== created || window.length === 0)),
  ];
  // Each tag is read until enough of its memories pass. Of several tags, some may have no memory that passes.
  if (others.length > 0 && keys.length > 1) return undefined;
  return { field, keys, order, window, others };
}

function rarestOf(connection: Connection, field: SetField, values: readonly string[]): string {
  const byCount = values.map(value => ({ value, count: countOf(connection, field, value) }));
  return byCount.reduce((rarest, each) => (each.count < rarest.count ? each : rarest)).value;
}

function countOf(connection: Connection, field: SetField, value: string): number {
  const token = setToken(field, value);
  return termFrequencies(connection, [token]).get(token) ?? 0;
}

/** Returns a source that reads only the first `limit` memories of each tag that meet the other conditions. */
function readInOrder({ field, keys, order, window, others }: TagWalk, limit: number): Source {
  const within = window.length > 0 ? 'AND tag.timestamp_ms BETWEEN ? AND ?' : '';
  const by = order === 'importance' ? 'tag.importance DESC, tag.timestamp_ms DESC' : 'tag.timestamp_ms DESC';
  const index = order === 'importance' ? 'INDEXED BY memory_tags_by_importance' : 'NOT INDEXED';
  // The index by importance stores whole tags and prefixes separately, so they are read separately.
  const separate = order === 'importance' ? ['tag.is_whole = 0', 'tag.is_whole = 1'] : ['TRUE'];
  const checked = filterClause(others);
  const parts = keys.flatMap(key =>
    (field === 'tag' ? ['tag.is_whole = 1'] : separate).map(isInPart => ({
      text: `SELECT * FROM (
        SELECT memories.row AS given FROM memory_tags AS tag ${index} CROSS JOIN memories ON memories.row = tag.memory
        WHERE tag.key = ? AND ${isInPart} ${within} AND ${checked.text} ORDER BY ${by}, memories.id LIMIT ?
      )`,
      values: [key, ...window, ...checked.values, limit],
    })),
  );
  return {
    text: `(${parts.map(({ text }) => text).join(' UNION ')}) CROSS JOIN memories ON memories.row = given`,
    values: parts.flatMap(({ values }) => values),
  };
}

export function countMemories(connection: Connection, which: CountedMemories): number {
  if ('tagKeys' in which) return countByTags(connection, which.tagKeys);
  const models = which.embeddedBy === 'any' ? undefined : which.embeddedBy;
  const condition = models ? `IN (${placeholders(models)})` : 'IS NOT NULL';
  const statement = `SELECT count(*) AS count FROM memories WHERE embedded_by ${condition}`;
  return connection.get<{ count: number }>(statement, ...(models ?? []))?.count ?? 0;
}

function countByTags(connection: Connection, keys: readonly string[]): number {
  const [key, another] = keys;
  if (key !== undefined && another === undefined) return countOf(connection, 'tag', key);
  const statement = `SELECT count(DISTINCT memory) AS count FROM memory_tags
    WHERE key IN (SELECT value FROM json_each(?)) AND ${SET_ROWS.tag}`;
  return connection.get<{ count: number }>(statement, JSON.stringify(keys))?.count ?? 0;
}

export function figuresOf(connection: Connection): Figures {
  return {
    countTypes: async () => countTypes(connection),
    surestPatterns: async request => surestPatterns(connection, request),
    importantOfTypes: async request => importantOfTypes(connection, request),
    strongestPreferences: async limit => strongestPreferences(connection, limit),
  };
}

function countTypes(connection: Connection): TypeCount[] {
  return connection
    .all<TypeCount>('SELECT type, count(*) AS count, total(confidence) AS confidenceSum FROM memories GROUP BY type')
    .map(({ type, count, confidenceSum }) => ({ type, count, confidenceSum }));
}

function surestPatterns(
  connection: Connection,
  { aboveConfidence, limit }: { aboveConfidence: number; limit: number },
): AuxiliaryNode[] {
  return connection
    .all<NodeRow>(
      `SELECT * FROM nodes INDEXED BY patterns_by_confidence
       WHERE kind = 'Pattern' AND ${CONFIDENCE} > ? AND ${CONFIDENCE} <= 1
         AND json_type(properties, '$.confidence') IN ('real', 'integer')
         AND json_type(properties, '$.type') = 'text' AND json_type(properties, '$.content') = 'text'
       ORDER BY ${CONFIDENCE} DESC, json_extract(properties, '$.observations') DESC, id LIMIT ?`,
      aboveConfidence,
      limit,
    )
    .map(nodeOf);
}

/** This expression must equal the expression in the index `patterns_by_confidence`. */
const CONFIDENCE = "json_extract(properties, '$.confidence')";

function importantOfTypes(
  connection: Connection,
  { types, leastImportance, limit }: Parameters<Figures['importantOfTypes']>[0],
): string[] {
  return connection
    .all<{ id: string }>(
      `SELECT id FROM memories INDEXED BY memories_by_type WHERE type IN (${placeholders(types)}) AND importance >= ?
       ORDER BY importance DESC, timestamp_ms DESC, id LIMIT ?`,
      ...types,
      leastImportance,
      limit,
    )
    .map(({ id }) => id);
}

function strongestPreferences(connection: Connection, limit: number): Relation[] {
  const found = connection.get<{ edges: string }>(
    `SELECT ${edgeList({ from: 'source.id', to: 'target.id', properties: 'best.properties' })} AS edges
     FROM (
       SELECT * FROM relations WHERE type = 'PREFERS_OVER'
       ORDER BY strength DESC, updated_ms DESC, source, target LIMIT ?
     ) AS best
     CROSS JOIN memories AS source ON source.row = best.source
     CROSS JOIN memories AS target ON target.row = best.target`,
    limit,
  );
  return edgesIn<string>(found?.edges ?? '[]');
}
