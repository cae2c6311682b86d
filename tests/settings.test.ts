/** Settings that were removed before the first release and may still be set, and paths that no shell has read. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.js';

const REMOVED = [
  'CONSOLIDATION_BASE_DECAY_RATE',
  'CONSOLIDATION_IMPORTANCE_FLOOR_FACTOR',
  'CONSOLIDATION_IMPORTANCE_PROTECTION_THRESHOLD',
  'EMBEDDING_BATCH_SIZE',
  'ENRICHMENT_ENABLE_SUMMARIES',
  'ENRICHMENT_FAILURE_BACKOFF_SECONDS',
  'ENRICHMENT_SIMILARITY_LIMIT',
  'ENRICHMENT_SIMILARITY_THRESHOLD',
  'HTTP_BODY_LIMIT_BYTES',
  'HTTP_MAX_REQUESTS_PER_SECOND',
  'MCP_BODY_LIMIT_BYTES',
  'MCP_MAX_SESSIONS',
  'MCP_SESSION_IDLE_SECONDS',
  'MEMORY_CONTENT_MAX_LENGTH',
  'MEMORY_METADATA_MAX_BYTES',
  'MEMORY_METADATA_MAX_DEPTH',
  'MEMORY_METADATA_MAX_KEYS',
  'MEMORY_SUMMARY_TARGET_LENGTH',
  'MEMORY_TAGS_MAX',
  'MEMORY_TAG_MAX_LENGTH',
  'MEMORY_TAG_MAX_LEVELS',
  'RECALL_RECENCY_BIAS',
  'RECALL_TEXT_MAX_LENGTH',
  'SEARCH_WEIGHT_LEXICAL',
  'SEARCH_WEIGHT_MEANING',
  'SEARCH_WEIGHT_NEIGHBOUR',
  'SEARCH_WEIGHT_TEMPORAL',
];

test('removed settings do not prevent the start, whatever their values are', () => {
  const removed = Object.fromEntries(REMOVED.map(name => [name, 'none']));
  expect(loadConfig({ ...removed, TIME_ZONE: 'UTC' })).toEqual(loadConfig({ TIME_ZONE: 'UTC' }));
});

test.each([
  ['~', homedir()],
  ['~/mem', join(homedir(), 'mem')],
  ['./~/mem', resolve('~/mem')],
  ['~mem', resolve('~mem')],
])('the data folder %j is %s', (given, folder) => {
  expect(loadConfig({ ENGRAPH_DATA_DIR: given }).dataDir).toBe(folder);
  expect(loadConfig({}, { 'data-dir': given }).dataDir).toBe(folder);
});
