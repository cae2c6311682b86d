/** Computes counts and rankings over all data. Each of them reads a small index of its own. */

import type { Relation } from '../../domain/relation.js';
import { type Connection, placeholders } from '../database/connection.js';
import type { Figures, TypeCount } from '../graph-store.js';
import type { AuxiliaryNode } from '../ports/node-store.js';
import { type NodeRow, nodeOf } from './nodes.js';
import { edgeList, edgesIn } from './relations.js';

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
