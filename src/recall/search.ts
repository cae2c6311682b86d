/** The part of recall that answers a question: channels, merge, hydration, context, scores. */
import { type MemoryFilter, passesFilter } from '../domain/filter.js';
import type { RecallQuery } from '../domain/recall-query.js';
import type { RecallSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { GraphStore } from '../stores/graph-store.js';
import { type Candidate, toCandidate } from './candidate.js';
import { keywordChannel } from './channels/keyword.js';
import { type VectorParts, vectorChannel } from './channels/vector.js';
import { findNeighbours, withContext } from './context.js';
import { type QueryEvidence, readEvidence, termsOf } from './evidence.js';
import type { Scored } from './order.js';
import { type Score, scoreCandidate } from './score.js';

export interface RecallParts extends VectorParts {
  graph: GraphStore;
  settings: RecallSettings;
  clock: Clock;
}

export interface Found {
  candidates: Scored[];
  isVectorSearchEnabled: boolean;
}

/** Candidates asked of each channel, and how many of the best lend evidence to their neighbours. */
const CHANNEL_LIMIT_MIN = 60;
const CHANNEL_LIMIT_PER_RESULT = 3;
const SEEDS_MIN = 40;
const SEEDS_PER_RESULT = 2;

export async function search(parts: RecallParts, query: RecallQuery, filter: MemoryFilter): Promise<Found> {
  const { graph } = parts;
  const limit = Math.max(CHANNEL_LIMIT_MIN, query.limit * CHANNEL_LIMIT_PER_RESULT);
  const text = query.query ?? '';
  const terms = termsOf(text);
  const [vector, keywordIds, statistics] = await Promise.all([
    vectorChannel(parts, query, { filter, limit }),
    keywordChannel(graph, { terms, filter, limit }),
    graph.termStatistics(terms),
  ]);
  const evidence = readEvidence(text, statistics);
  const scoring = { parts, evidence, filter, nowMs: parts.clock.nowMs() };

  const candidates = new Map<string, Candidate>();
  await hydrate(scoring, candidates, [...new Set([...vector.similarities.keys(), ...keywordIds])], vector.similarities);
  const neighbours = await findNeighbours(
    graph,
    bestIds(scoring, candidates, Math.max(SEEDS_MIN, query.limit * SEEDS_PER_RESULT)),
  );
  const unknown = new Set(neighbours.map(({ id }) => id).filter(id => !candidates.has(id)));
  await hydrate(scoring, candidates, [...unknown], vector.similarities);

  const contexts = withContext(candidates, neighbours);
  const scored = [...candidates].map(([id, candidate]) => ({
    memory: candidate.memory,
    score: scoreOf(scoring, candidate, contexts.get(id) ?? candidate),
    isVectorHit: candidate.isVectorHit,
  }));
  return { candidates: scored, isVectorSearchEnabled: vector.isEnabled };
}

interface Scoring {
  parts: RecallParts;
  evidence: QueryEvidence;
  filter: MemoryFilter;
  nowMs: number;
}

/** Reads memories and adds those that pass; the graph has the last word over what an index may still believe. */
async function hydrate(
  { parts, evidence, filter }: Scoring,
  candidates: Map<string, Candidate>,
  ids: readonly string[],
  similarities: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [id, memory] of await parts.graph.getMemories(ids)) {
    if (passesFilter(memory, filter)) candidates.set(id, toCandidate(memory, evidence, similarities.get(id)));
  }
}

function bestIds(scoring: Scoring, candidates: ReadonlyMap<string, Candidate>, count: number): string[] {
  return [...candidates.values()]
    .map(candidate => ({ id: candidate.memory.id, total: scoreOf(scoring, candidate, candidate).total }))
    .sort((a, b) => b.total - a.total)
    .slice(0, count)
    .map(({ id }) => id);
}

function scoreOf(
  { parts, evidence, nowMs }: Scoring,
  candidate: Candidate,
  context: Pick<Candidate, 'presence' | 'similarity'>,
): Score {
  return scoreCandidate({ candidate, context, evidence }, parts.settings.weights, nowMs);
}
