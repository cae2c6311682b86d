/** One question: channels in parallel, merge by id, hydrate, let neighbours lend evidence, score. */
import type { FoundBy } from '../domain/answers.js';
import { type MemoryFilter, passesFilter } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { RecallSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { GraphStore, TermStatistics } from '../stores/graph-store.js';
import { type Candidate, type CandidateOrigin, type Scored, toCandidate } from './candidate.js';
import { keywordChannel } from './channels/keyword.js';
import { type VectorOutcome, type VectorParts, vectorChannel } from './channels/vector.js';
import { readEvidence, termsOf } from './evidence.js';
import type { HintProfile } from './hints.js';
import { findNeighbours, withNeighbours } from './neighbour-evidence.js';
import { type ScoreRules, scoreCandidate } from './score.js';

export interface RecallParts extends VectorParts {
  graph: GraphStore;
  settings: RecallSettings;
  clock: Clock;
}

/** What one search asks. */
export interface Question {
  text: string;
  /** Takes the place of the text's own vector. */
  embedding: readonly number[] | undefined;
  /** Further texts whose hits are candidates too; they are scored against `text`. */
  supplements: readonly string[];
  filter: MemoryFilter;
  hints: HintProfile | undefined;
  /** Results wanted. */
  limit: number;
}

export interface Found {
  candidates: Scored[];
  /** How every candidate of this question is scored; also those that are found later. */
  rules: ScoreRules;
  isVectorSearchEnabled: boolean;
}

/** Candidates asked of each channel, and how many of the best lend evidence to their neighbours. */
const CHANNEL_LIMIT_MIN = 60;
const CHANNEL_LIMIT_PER_RESULT = 3;
const SUPPLEMENT_LIMIT = 20;
const SEEDS_MIN = 40;
const SEEDS_PER_RESULT = 2;

export async function search(parts: RecallParts, question: Question): Promise<Found> {
  const { graph, settings, clock } = parts;
  const { text, filter, hints, limit } = question;
  const pool = await gather(parts, question);
  const rules: ScoreRules = {
    evidence: readEvidence(text, pool.statistics),
    hints,
    weights: settings.weights,
    nowMs: clock.nowMs(),
  };
  const candidates = new Map<string, Candidate>();
  const hydrate = async (origins: ReadonlyMap<string, CandidateOrigin>) => {
    for (const [id, memory] of await graph.getMemories([...origins.keys()])) {
      // The graph has the last word over what an index may still believe.
      const origin = origins.get(id);
      if (origin && passesFilter(memory, filter)) candidates.set(id, toCandidate(memory, rules.evidence, origin));
    }
  };
  await hydrate(pool.origins);
  const neighbours = await findNeighbours(
    graph,
    bestIds(candidates, rules, Math.max(SEEDS_MIN, limit * SEEDS_PER_RESULT)),
  );
  const unknown = neighbours.filter(({ id }) => !candidates.has(id)).map(({ id }) => id);
  await hydrate(new Map(unknown.map(id => [id, { foundBy: ['neighbour'] }])));

  // Not before the neighbours are chosen: those of what words or meaning have found plainly are the ones that help.
  for (const candidate of candidates.values()) candidate.similarity ||= pool.closenessOf(candidate.memory);

  const support = withNeighbours(candidates, neighbours);
  const scored = [...candidates].map(([id, candidate]) => scoredWith(candidate, support.get(id) ?? candidate, rules));
  return {
    candidates: isScoped(filter) ? scored : scored.filter(hasEvidence),
    rules,
    isVectorSearchEnabled: pool.isVectorSearchEnabled,
  };
}

/** Closeness below this is chance. */
const CLOSENESS_MIN = 0.1;

/** Whoever names tags or a time asks for what lies there, in the best order; without them, what has no bearing is no answer. */
function isScoped({ tags, fromMs, toMs }: MemoryFilter): boolean {
  return tags !== undefined || fromMs !== undefined || toMs !== undefined;
}

/** The nearest vector may be far away, and a neighbour in time may have nothing to lend. */
function hasEvidence({ candidate, score: { components } }: Scored): boolean {
  const { vector, keyword, tag } = components;
  return vector >= CLOSENESS_MIN || keyword > 0 || tag > 0 || candidate.foundBy.includes('priority');
}

/** Scores memories that something other than a channel has led to. */
export function scoreFound(memory: Memory, origin: CandidateOrigin, rules: ScoreRules): Scored {
  const candidate = toCandidate(memory, rules.evidence, origin);
  return scoredWith(candidate, candidate, rules);
}

function scoredWith(
  candidate: Candidate,
  support: Pick<Candidate, 'presence' | 'similarity'>,
  rules: ScoreRules,
): Scored {
  return { candidate, score: scoreCandidate(candidate, support, rules), presence: support.presence };
}

interface Pool {
  origins: Map<string, CandidateOrigin>;
  statistics: TermStatistics;
  isVectorSearchEnabled: boolean;
  closenessOf: VectorOutcome['closenessOf'];
}

/** Asks every channel at once and merges what they name by id. */
async function gather(parts: RecallParts, question: Question): Promise<Pool> {
  const { text, embedding, supplements, filter, hints, limit } = question;
  const channelLimit = Math.max(CHANNEL_LIMIT_MIN, limit * CHANNEL_LIMIT_PER_RESULT);
  const beside = { filter, limit: SUPPLEMENT_LIMIT };
  const [vector, keyword, furtherVectors, furtherKeywords] = await Promise.all([
    vectorChannel(parts, { text, embedding }, { filter, limit: channelLimit }),
    keywordChannel(parts.graph, { terms: termsOf(text), filter, limit: channelLimit }),
    Promise.all(supplements.map(each => vectorChannel(parts, { text: each, embedding: undefined }, beside))),
    Promise.all(supplements.map(each => keywordChannel(parts.graph, { terms: termsOf(each), ...beside }))),
  ]);
  const origins = new Map<string, { foundBy: FoundBy[]; similarity?: number }>();
  const note = (ids: Iterable<string>, channel: FoundBy) => {
    for (const id of ids) {
      const origin = origins.get(id) ?? { foundBy: [] };
      if (!origin.foundBy.includes(channel)) origin.foundBy.push(channel);
      origins.set(id, origin);
    }
  };
  for (const { similarities } of [vector, ...furtherVectors]) note(similarities.keys(), 'vector');
  for (const { ids } of [keyword, ...furtherKeywords]) note(ids, 'keyword');
  note(hints?.ids ?? [], 'priority');
  for (const [id, similarity] of vector.similarities) Object.assign(origins.get(id) ?? {}, { similarity });
  return {
    origins,
    statistics: keyword.statistics,
    isVectorSearchEnabled: vector.isEnabled,
    closenessOf: vector.closenessOf,
  };
}

function bestIds(candidates: ReadonlyMap<string, Candidate>, rules: ScoreRules, count: number): string[] {
  return [...candidates.values()]
    .map(candidate => ({ id: candidate.memory.id, total: scoreCandidate(candidate, candidate, rules).total }))
    .sort((a, b) => b.total - a.total)
    .slice(0, count)
    .map(({ id }) => id);
}
