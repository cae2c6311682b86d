/**
 * Summarises all memories in several parts, each of which is computed independently (docs/decisions.md, "Analysis").
 */

import { partsOf } from '../domain/collections.js';
import { MemoryError } from '../domain/errors.js';
import { isPlainObject, type Metadata } from '../domain/json.js';
import { type Memory, type MemoryType, readMemoryType, UNCLASSIFIED } from '../domain/memory.js';
import type {
  Analysis,
  ConfidenceCounts,
  EntityCount,
  HourFigures,
  PatternFigures,
  Preference,
  TypeFigures,
} from '../domain/reports.js';
import { inSteps } from '../event-loop.js';
import type { Figures, GraphStore } from '../stores/graph-store.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { ListOrder, SearchIndex } from '../stores/ports/search-index.js';

export interface AnalysisParts {
  graph: SampleGraph & Figures & Pick<GraphStore, 'ping'>;
  /** Called with the reason when a part could not be computed. */
  onFailure(part: keyof Analysis, error: unknown): void;
}

const PATTERNS_MAX = 10;
const PATTERN_ABOVE_CONFIDENCE = 0.6;
const PREFERENCES_MAX = 10;
const HOURS_SAMPLE = { order: 'oldest', limit: 100 } as const;
const ENTITIES_SAMPLE = { order: 'newest', limit: 200 } as const;
const ENTITIES_MAX = 50;
const CONFIDENCES_SAMPLE = { order: 'newest', limit: 500 } as const;
/** Lower bounds of medium and high confidence. */
const MEDIUM_FROM = 0.4;
const HIGH_FROM = 0.7;

type Finders = { [Part in keyof Analysis]: (graph: AnalysisParts['graph']) => Promise<NonNullable<Analysis[Part]>> };

const FINDERS: Finders = {
  types: findTypes,
  patterns: findPatterns,
  preferences: findPreferences,
  hours: findHours,
  entities: findEntities,
  confidences: findConfidences,
};

/**
 * Computes all parts. A part that fails is null, and the other parts are still returned.
 *
 * @throws MemoryError `unavailable` when the graph store cannot be reached
 */
export async function analyze({ graph, onFailure }: AnalysisParts): Promise<Analysis> {
  await graph.ping();
  const failures: unknown[] = [];
  const find = async <Part extends keyof Analysis>(part: Part): Promise<Analysis[Part] | null> => {
    try {
      return await FINDERS[part](graph);
    } catch (error) {
      failures.push(error);
      onFailure(part, error);
      return null;
    }
  };
  const [types, patterns, preferences, hours, entities, confidences] = await Promise.all([
    find('types'),
    find('patterns'),
    find('preferences'),
    find('hours'),
    find('entities'),
    find('confidences'),
  ]);
  const [failure] = failures;
  // If every part failed, the store has become unavailable since the ping.
  if (failures.length === Object.keys(FINDERS).length && isOutage(failure)) throw failure;
  return { types, patterns, preferences, hours, entities, confidences };
}

function isOutage(error: unknown): error is MemoryError {
  return error instanceof MemoryError && error.code === 'unavailable';
}

/** Computes the figures of each type. A memory with an unknown type counts as unclassified, as in all answers. */
async function findTypes(graph: Figures): Promise<TypeFigures[]> {
  const totals = new Map<MemoryType, { count: number; sum: number }>();
  for (const { type: stored, count, confidenceSum } of await graph.countTypes()) {
    const type = readMemoryType(stored) ?? UNCLASSIFIED.type;
    const before = totals.get(type) ?? { count: 0, sum: 0 };
    totals.set(type, { count: before.count + count, sum: before.sum + confidenceSum });
  }
  return [...totals]
    .map(([type, { count, sum }]) => ({ type, count, averageConfidence: sum / count }))
    .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1));
}

async function findPatterns(graph: Figures): Promise<PatternFigures[]> {
  const nodes = await graph.surestPatterns({ aboveConfidence: PATTERN_ABOVE_CONFIDENCE, limit: PATTERNS_MAX });
  return nodes.map(({ properties: { type, content, confidence, observations } }) => ({
    type: String(type),
    description: String(content),
    confidence: Number(confidence),
    observations: typeof observations === 'number' ? observations : 0,
  }));
}

/**
 * Finds the strongest preferences. An edge is skipped if one of its ends cannot be read as a memory, and the next edge
 * takes its place.
 */
async function findPreferences(graph: AnalysisParts['graph']): Promise<Preference[]> {
  for (let limit = PREFERENCES_MAX; ; limit *= 2) {
    const edges = await graph.strongestPreferences(limit);
    const memories = await graph.getMemories([...new Set(edges.flatMap(({ from, to }) => [from, to]))]);
    const found = edges.flatMap(({ from, to, strength, properties: { context } }): Preference[] => {
      const [prefers, over] = [memories.get(from)?.content, memories.get(to)?.content];
      if (prefers === undefined || over === undefined) return [];
      return [{ prefers, over, context: typeof context === 'string' ? context : null, strength }];
    });
    if (found.length >= PREFERENCES_MAX || edges.length < limit) return found.slice(0, PREFERENCES_MAX);
  }
}

async function findHours(graph: SampleGraph): Promise<HourFigures[]> {
  const byHour = new Map<number, { count: number; importance: number }>();
  await eachOfFirst(graph, HOURS_SAMPLE, ({ timestamp, importance }) => {
    const hour = new Date(timestamp).getUTCHours();
    const before = byHour.get(hour) ?? { count: 0, importance: 0 };
    byHour.set(hour, { count: before.count + 1, importance: before.importance + importance });
  });
  return [...byHour]
    .sort(([a], [b]) => a - b)
    .map(([hour, { count, importance }]) => ({ hour, count, averageImportance: importance / count }));
}

async function findEntities(graph: SampleGraph): Promise<EntityCount[]> {
  const tally = createNameTally();
  await eachOfFirst(graph, ENTITIES_SAMPLE, ({ metadata }) => tally.add(metadata));
  return tally.top(ENTITIES_MAX);
}

async function findConfidences(graph: SampleGraph): Promise<ConfidenceCounts> {
  const counts: ConfidenceCounts = { low: 0, medium: 0, high: 0 };
  await eachOfFirst(graph, CONFIDENCES_SAMPLE, ({ confidence }) => {
    counts[confidence < MEDIUM_FROM ? 'low' : confidence < HIGH_FROM ? 'medium' : 'high'] += 1;
  });
  return counts;
}

const FIELDS = ['entities', 'keywords', 'topics'] as const;

/** Counts names, ignoring case. */
export interface NameTally {
  /** Counts the names of one memory. A name that occurs several times in the memory counts once. */
  add(metadata: Metadata): void;
  /**
   * Returns the most frequent names first, and equally frequent names in alphabetical order. A name keeps its first
   * spelling.
   */
  top(limit: number): { name: string; count: number }[];
}

function createNameTally(): NameTally {
  const byKey = new Map<string, { name: string; count: number }>();
  return {
    add: metadata => {
      const names = FIELDS.flatMap(field => namesIn(metadata[field]));
      const counted = new Set<string>();
      for (const name of names) {
        const key = name.toLowerCase();
        if (counted.has(key)) continue;
        counted.add(key);
        const known = byKey.get(key) ?? { name, count: 0 };
        byKey.set(key, { ...known, count: known.count + 1 });
      }
    },
    top: limit => [...byKey.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, limit),
  };
}

/**
 * Reads the names in a value. A text contains names separated by commas, and a list contains one name in each item. An
 * object groups names by kind; its keys are not names.
 */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').flatMap(plainName);
  if (Array.isArray(value)) return value.flatMap(plainName);
  return isPlainObject(value)
    ? Object.values(value).flatMap(group => (isPlainObject(group) ? [] : namesIn(group)))
    : [];
}

function plainName(value: unknown): string[] {
  const name = typeof value === 'string' ? value.trim() : '';
  return name === '' ? [] : [name];
}

type SampleGraph = Pick<SearchIndex, 'list'> & Pick<MemoryStore, 'getMemories'>;

const READ_AT_ONCE = 50;

/** Reads the first `limit` memories in the given order, including archived ones, and calls `visit` with each memory. */
async function eachOfFirst(
  graph: SampleGraph,
  sample: { order: ListOrder; limit: number },
  visit: (memory: Memory) => void,
): Promise<void> {
  const ids = await graph.list({ filter: {}, ...sample });
  for await (const part of inSteps(partsOf(ids, READ_AT_ONCE))) {
    const memories = await graph.getMemories(part);
    for (const memory of memories.values()) visit(memory);
  }
}
