/** One question: channels in parallel, merge by id, hydrate, let neighbours lend evidence, score. */
import type { MemoryFilter } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { RecallSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { GraphStore } from '../stores/graph-store.js';
import { prepareDateParser } from '../time/date-parser.js';
import { type Candidate, type CandidateOrigin, type Scored, toCandidate } from './candidate.js';
import { createPool } from './candidate-pool.js';
import { dateChannel } from './channels/date.js';
import { keywordChannel } from './channels/keyword.js';
import { type VectorParts, vectorChannel } from './channels/vector.js';
import { datesNamed, type NamedDate } from './dates-named.js';
import { readEvidence, termsOf } from './evidence.js';
import type { HintProfile } from './hints.js';
import { findNeighbours, withNeighbours } from './neighbour-evidence.js';
import { type ScoreRules, scoreCandidate } from './score.js';
import { nextTurn } from './turns.js';

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

/** How far a search goes. */
export interface Reach {
  /** How many times the usual number of candidates each channel is asked for. */
  times: number;
  /** The question's vector, where an earlier search has made it. */
  vector?: Float32Array | undefined;
}

export interface Found {
  candidates: Scored[];
  /** How every candidate of this question is scored; also those that are found later. */
  rules: ScoreRules;
  isVectorSearchEnabled: boolean;
  vector: Float32Array | undefined;
  /** Whether a channel found as many as it was asked for, and may be asked for more. */
  mayHaveMore: boolean;
}

/** Candidates asked of each channel, and how many of the best lend evidence to their neighbours. */
const CHANNEL_LIMIT_MIN = 60;
const CHANNEL_LIMIT_PER_RESULT = 3;
const CHANNEL_LIMIT_MAX = 4_000;
const SUPPLEMENT_LIMIT = 20;
const SEEDS_MIN = 40;
const SEEDS_PER_RESULT = 2;

export async function search(parts: RecallParts, question: Question, reach: Reach): Promise<Found> {
  const { graph, settings, clock } = parts;
  const { text, filter, hints, limit } = question;
  await prepareDateParser();
  await nextTurn();
  const dates = datesNamed(text, clock.nowMs());
  const usual = Math.max(CHANNEL_LIMIT_MIN, limit * CHANNEL_LIMIT_PER_RESULT);
  const channelLimit = Math.min(usual * reach.times, CHANNEL_LIMIT_MAX);
  const { byWords, byDate, byMeaning } = askChannels(
    parts,
    { ...question, vector: reach.vector },
    { dates, limit: channelLimit },
  );
  const [[words, ...furtherWords], ofDates] = await Promise.all([byWords, byDate]);
  const rules: ScoreRules = {
    evidence: readEvidence(text, words.statistics, dates),
    hints,
    weights: settings.weights,
    nowMs: clock.nowMs(),
    unmatchedType: filter.tags ? 'tag' : 'keyword',
  };
  const pool = createPool({ graph, filter, evidence: rules.evidence });
  // What words have found is read while the vectors are still searched: they take longer.
  const sharingWords = [words, ...furtherWords].flatMap(({ ids }) => ids);
  await pool.add('keyword', sharingWords);
  await pool.add('date', ofDates.flat());
  const [meaning, ...furtherMeanings] = await byMeaning;
  await nextTurn();
  const closeInMeaning = [meaning, ...furtherMeanings].flatMap(({ similarities }) => [...similarities.keys()]);
  await pool.add('vector', closeInMeaning);
  await pool.add('priority', [...(hints?.ids ?? [])]);
  const { candidates } = pool;
  for (const [id, candidate] of candidates) candidate.similarity = meaning.similarities.get(id) ?? 0;

  const seeds = bestIds(candidates, rules, Math.max(SEEDS_MIN, limit * SEEDS_PER_RESULT));
  const neighbours = await findNeighbours(graph, seeds);
  const unknown = neighbours.filter(({ id }) => !candidates.has(id)).map(({ id }) => id);
  await pool.add('neighbour', unknown);

  // Not before the neighbours are chosen: those of what words or meaning have found plainly are the ones that help.
  for (const candidate of candidates.values()) candidate.similarity ||= meaning.closenessOf(candidate.memory);

  const support = withNeighbours(candidates, neighbours);
  const scored = [...candidates].map(([id, candidate]) => scoredWith(candidate, support.get(id) ?? candidate, rules));
  return {
    candidates: isScoped(filter) ? scored : scored.filter(hasEvidence),
    rules,
    isVectorSearchEnabled: meaning.isEnabled,
    vector: meaning.vector,
    mayHaveMore:
      channelLimit < CHANNEL_LIMIT_MAX &&
      (words.ids.length >= channelLimit || meaning.similarities.size >= channelLimit),
  };
}

/** Closeness below this is chance. */
const CLOSENESS_MIN = 0.1;

/** Whoever names tags or a time asks for what lies there, in the best order; without them, what has no bearing is no answer. */
function isScoped({ tags, fromMs, toMs }: MemoryFilter): boolean {
  return tags !== undefined || fromMs !== undefined || toMs !== undefined;
}

/** The nearest vector may be far away, and a neighbour in time may have nothing to lend. */
export function hasEvidence({ candidate, score: { components } }: Scored): boolean {
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
  return { candidate, score: scoreCandidate(candidate, support, rules), rules, presence: support.presence };
}

/** Sets every channel to work at once: first for the question itself, then for its supplements. */
function askChannels(
  parts: RecallParts,
  { text, embedding, vector, supplements, filter }: Question & Pick<Reach, 'vector'>,
  { dates, limit }: { dates: readonly NamedDate[]; limit: number },
) {
  const terms = termsOf(text);
  const search = { filter, limit };
  const beside = { filter, limit: SUPPLEMENT_LIMIT };
  return {
    byMeaning: Promise.all([
      vectorChannel(parts, { text, embedding, vector }, search),
      ...supplements.map(each => vectorChannel(parts, { text: each, embedding: undefined }, beside)),
    ]),
    byWords: Promise.all([
      keywordChannel(parts.graph, { terms, ...search }),
      ...supplements.map(each => keywordChannel(parts.graph, { terms: termsOf(each), ...beside })),
    ]),
    byDate: Promise.all(dates.map(date => dateChannel(parts.graph, date, { terms, ...search }))),
  };
}

function bestIds(candidates: ReadonlyMap<string, Candidate>, rules: ScoreRules, count: number): string[] {
  return [...candidates.values()]
    .map(candidate => ({ id: candidate.memory.id, total: scoreCandidate(candidate, candidate, rules).total }))
    .sort((a, b) => b.total - a.total)
    .slice(0, count)
    .map(({ id }) => id);
}
