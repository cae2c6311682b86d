/** Converts candidates to results, attaches their relations, and rates how well they answer the query. */

import { isSuggested, suggestedId } from '../../domain/derived-ids.js';
import { haveOtherScopes, scopesOf } from '../../domain/entity.js';
import { isValidAt } from '../../domain/filter.js';
import type { Confidence, MatchType, RecalledMemory, ScoredMemory, ScoreExplanation } from '../../domain/recall.js';
import {
  AUTHORABLE_RELATION_TYPES,
  otherEnd,
  type Relation,
  type RelationEntry,
  relationEntry,
} from '../../domain/relation.js';
import { wordHash } from '../../domain/text/words.js';
import type { EdgeStore, RelationsWithEnds } from '../../stores/ports/edge-store.js';
import type { RecallContext } from '../context.js';
import { identifyingTerms } from '../language/names-and-dates.js';
import { type Candidate, compareScores } from '../pool.js';
import { BOUNDS, CONFIDENCE } from '../ranking-constants.js';
import { isEvidence, presenceInFields } from '../score/evidence.js';
import { contributions, isSaidByAnother } from '../score/score.js';
import { type AnalyzedText, hasStem, hasTagStem } from '../score/text.js';
import type { RecallRun } from '../steps.js';

export function toResult(
  candidate: Candidate,
  context: RecallContext,
  isExplained: boolean,
): Omit<RecalledMemory, 'relations'> {
  const { duplicates, entity, from, heirOf, replaces, supersededBy, invalidity, isOutsideTagScope } = candidate;
  // A successor also answers with the words of the memory that it supersedes.
  const { own } = heirOf ?? candidate;
  return {
    ...toScoredMemory(candidate, context),
    hasOwnEvidence: isEvidence(own),
    similarity: own.similarity,
    coverage: own.coverage,
    matchedTerms: own.presence.filter(presence => presence > 0).length,
    ...(duplicates && { duplicateIds: duplicates }),
    ...(entity !== undefined && { expandedFromEntity: entity }),
    ...(from && { from }),
    ...(replaces && { replaces }),
    ...(heirOf && { inheritedFrom: heirOf.memory.id }),
    ...(supersededBy && { supersededBy }),
    ...(invalidity && { invalidity }),
    ...(isOutsideTagScope && { isOutsideTags: true }),
    ...(isExplained && { explanation: explain(candidate, context) }),
  };
}

export function toScoredMemory(candidate: Candidate, context: RecallContext): ScoredMemory {
  const { memory, score, foundBy } = candidate;
  return { memory, score: score.total, ...matchOf(context, candidate), components: score.components, foundBy };
}

export function explain(candidate: Candidate, { settings }: RecallContext): ScoreExplanation {
  const { query, own, text, score } = candidate;
  const { terms, weights } = query.analysis;
  return {
    weights: { ...settings.weights, context: 1, newer: 1, inherited: 1 },
    contributions: contributions(score.components, settings.weights),
    terms: terms.map((term, index) => ({
      term,
      weight: weights[index] ?? 0,
      inContent: own.presence[index] ?? 0,
      inTags: hasTagStem(text, wordHash(term)),
    })),
    propagatedFrom: candidate.sources(),
    isSaidByAnother: isSaidByAnother(candidate),
  };
}

interface Match {
  matchType: MatchType;
  /**
   * Evidence of the channel that `matchType` names, 0..1. It is 0 if neither words, tags, meaning, edges nor entities
   * match. For a listed memory, it is the importance.
   */
  matchScore: number;
}

function matchOf({ plan, settings }: RecallContext, candidate: Candidate): Match {
  const { memory, own, score, from, entity } = candidate;
  const { vector, keyword, tag, relation } = score.components;
  if (from) return { matchType: 'relation', matchScore: relation };
  if (entity !== undefined) return { matchType: 'entity', matchScore: relation };
  const unmatched = plan.filter.tags ? 'tag' : 'keyword';
  if (plan.isListing) return { matchType: unmatched, matchScore: memory.importance };
  if (!isEvidence(own)) return { matchType: unmatched, matchScore: 0 };
  const parts = contributions(score.components, settings.weights);
  const channels: (Match & { contribution: number })[] = [
    { matchType: 'semantic', contribution: parts.vector + parts.meaning, matchScore: vector },
    {
      matchType: 'keyword',
      contribution: parts.keyword + parts.exact + parts.lexical,
      matchScore: keyword || own.coverage,
    },
    { matchType: 'tag', contribution: parts.tag, matchScore: tag },
  ];
  const { matchType, matchScore } = channels.reduce((best, each) =>
    each.contribution > best.contribution ? each : best,
  );
  return { matchType, matchScore };
}

type Outdated = Pick<RecalledMemory, 'maybeOutdatedBy'>;

/**
 * Returns a function that gives the field `maybeOutdatedBy` of a result. A suggestion has ended if one of the two
 * memories was edited, if the newer is not valid or was superseded, if the two got other times or subjects, or if a
 * caller has joined them by an edge. It is
 * not shown if the query names a version or the like that only the older memory has. Reads the newer memories at once, and only
 * if a result has a suggestion.
 *
 * @param relations the relations of the results that are shown
 */
export async function findOutdating(
  { memories, nowMs, supersessions }: RecallContext,
  results: readonly Candidate[],
  relations: ReadonlyMap<string, readonly RelationEntry[]>,
): Promise<(result: Candidate) => Outdated> {
  const ids = new Set(results.flatMap(result => newerIdOf(result) ?? []));
  if (ids.size === 0) return () => ({});
  const found = new Map((await memories.read(ids)).map(each => [each.memory.id, each]));
  const superseded = await supersessions([...found.keys()]);
  return result => {
    const { memory: older } = result;
    const analyzed = found.get(newerIdOf(result) ?? '');
    const newer = analyzed?.memory;
    if (!newer || !isSuggested(older, newer) || !isValidAt(newer, nowMs) || superseded.has(newer.id)) return {};
    if (newer.timestamp < older.timestamp || haveOtherScopes(scopesOf(older), scopesOf(newer))) return {};
    const areJoined = (relations.get(older.id) ?? []).some(
      ({ type, memory }) => memory.id === newer.id && AUTHORABLE_RELATION_TYPES.includes(type),
    );
    return areJoined || namesOnly(result, analyzed.text) ? {} : { maybeOutdatedBy: newer };
  };
}

/** Whether the query names a version or the like that the older memory has and the newer lacks. */
function namesOnly({ query, text }: Candidate, newer: AnalyzedText): boolean {
  const has = (one: AnalyzedText, stem: number) => hasStem(one, stem) || hasTagStem(one, stem);
  const stems = [...identifyingTerms(query.query.text)].map(wordHash);
  return stems.some(stem => has(text, stem) && !has(newer, stem));
}

/** Undefined for a result that is marked as superseded, because its successor is known. */
function newerIdOf({ memory, supersededBy }: Candidate): string | undefined {
  return supersededBy ? undefined : suggestedId(memory);
}

/** Returns the relation entries of each memory, by the memory's id. One read covers all memories. */
export async function relationEntries(
  graph: Pick<EdgeStore, 'relationsWithEnds'>,
  ids: readonly string[],
  limit: number,
): Promise<Map<string, RelationEntry[]>> {
  return ids.length === 0 ? new Map() : entriesIn(await graph.relationsWithEnds({ ids, limit }));
}

/** Makes entries from edges that have been read already. */
export function entriesIn({
  relations,
  ends,
}: Pick<RelationsWithEnds, 'relations' | 'ends'>): Map<string, RelationEntry[]> {
  const entriesOf = ([id, edges]: [string, Relation[]]) =>
    edges.flatMap(edge => {
      // Skip the edge if the memory at its other end was deleted meanwhile or cannot be read.
      const other = ends.get(otherEnd(edge, id));
      return other ? [relationEntry(edge, edge.from === id ? 'outgoing' : 'incoming', other)] : [];
    });
  return new Map([...relations].map(each => [each[0], entriesOf(each)]));
}

/** The confidence in the answer. A listing has no query, so a listing with results always has `high`. */
export function confidenceOf({ context, pool }: RecallRun): Confidence {
  if (pool.kept.length === 0) return 'none';
  if (context.plan.isListing) return 'high';
  // Unlike what expansion adds, a memory outside of the tags was found by the question itself.
  const found = pool.kept.filter(({ from, entity }) => !from && !entity).sort(compareScores);
  const best = found.slice(0, BOUNDS.bestResults);
  const evidence = best.reduce((most, candidate) => Math.max(most, evidenceOf(candidate)), 0);
  return (['high', 'medium', 'low'] as const).find(level => evidence >= CONFIDENCE[level]) ?? 'none';
}

/** A successor also has the evidence of the memory whose place it takes. */
function evidenceOf(candidate: Candidate): number {
  const { heirOf, own, query } = candidate;
  const isMeaningKnown = query.vectors?.understandsMeaning === true || query.analysis.terms.length === 0;
  return Math.max(
    wordEvidence(candidate),
    hasRareTerm(candidate) ? CONFIDENCE.low : 0,
    isMeaningKnown ? own.similarity : 0,
    heirOf ? evidenceOf(heirOf) : 0,
  );
}

/**
 * Computes the evidence from words as the product of two shares. The first is the share of the query's terms that
 * the memory itself has, by weight and without names. The second is the share of the query's names that the memory
 * has, because a fact about one person does not answer a question about another.
 */
function wordEvidence(candidate: Candidate): number {
  const { terms, weights, names } = candidate.query.analysis;
  const presence = presenceInFields(candidate);
  const sums = { topic: 0, covered: 0, names: 0, named: 0 };
  for (const [index, term] of terms.entries()) {
    const has = presence[index] ?? 0;
    if (names.has(term)) {
      sums.names += 1;
      sums.named += has;
    } else {
      sums.topic += weights[index] ?? 0;
      sums.covered += (weights[index] ?? 0) * has;
    }
  }
  if (terms.length === 0) return 0;
  const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
  const evidence = share(sums.covered, sums.topic) * share(sums.named, sums.names);
  return terms.length === 1 ? Math.min(CONFIDENCE.oneTerm, evidence) : evidence;
}

/**
 * Whether the memory alone has a term of the query, and has at least half of the terms or the term is a name. The
 * other terms of such a query are often synonyms: "What happened to Puppeteer?" is answered by "Puppeteer was
 * dropped".
 */
function hasRareTerm(candidate: Candidate): boolean {
  const { terms, names, isInOneMemory } = candidate.query.analysis;
  const presence = presenceInFields(candidate);
  const isHalf = presence.filter(each => each > 0).length >= terms.length * CONFIDENCE.shareWithRareTerm;
  return terms.some((term, index) => presence[index] === 1 && isInOneMemory[index] && (isHalf || names.has(term)));
}
