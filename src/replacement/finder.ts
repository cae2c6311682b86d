/**
 * Finds the memories that a memory may replace. The answer to a store tells them to the assistant, and enrichment keeps
 * them as suggestions (docs/decisions.md, "What may be outdated").
 */

import { conversationsOf } from '../domain/conversation.js';
import { PROPOSAL_KINDS, proposalIdOf } from '../domain/derived-ids.js';
import { haveOtherScopes } from '../domain/entity.js';
import { isValidAt } from '../domain/filter.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../domain/memory.js';
import { AUTHORABLE_RELATION_TYPES, type Relation, SUPERSESSION_TYPES } from '../domain/relation.js';
import type { Replaceable } from '../domain/results.js';
import type { EdgeStore } from '../stores/ports/edge-store.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { NodeStore } from '../stores/ports/node-store.js';
import type { SearchIndex } from '../stores/ports/search-index.js';
import type { VectorHit, VectorStore } from '../stores/vector-store.js';
import { type Judge, type Meaning, reasonFor, type Verdict, verdictOn } from './judge.js';
import { type Occurrences, type Wording, wordingOf } from './wording.js';

/** Number of words that are searched, rarest words first. */
const SEARCHED_TERMS = 12;
const CANDIDATES = 12;
/** Number of nearest vectors that are compared. */
export const NEAREST = 16;
/** Number of like memories whose relation to the memory is read. */
const PROMISING_MAX = 8;
/**
 * A memory that is like more than this number of earlier memories belongs to a series, such as a log. It then replaces
 * none of them, unless it repeats one.
 */
const SERIES_FROM = 5;
export const SHOWN_MAX = 3;
/** Number of edges read for each memory. */
const EDGES_MAX = 100;

export interface FinderParts {
  graph: Pick<SearchIndex, 'searchText'> &
    Pick<MemoryStore, 'getMemories'> &
    Pick<EdgeStore, 'relationsOf'> &
    Pick<NodeStore, 'getNode'>;
  vectors: Pick<VectorStore, 'search'>;
  judge: Judge;
  /** Model of the vectors that are compared. */
  model: string;
  nowMs: number;
}

export interface Newer {
  memory: Memory;
  /** The nearest vectors, or the vector to search with. Only a judge that uses meaning needs one of the two. */
  nearest?: readonly VectorHit[] | undefined;
  vector?: Float32Array | undefined;
  /**
   * Whether a memory with the same timestamp counts as earlier. If not, memories of one import do not replace each
   * other.
   */
  isWritten?: boolean;
}

/**
 * Returns at most `SHOWN_MAX` memories, the most alike first. Returns none if the judge needs a vector and none is
 * given. The cost does not depend on the number of memories.
 */
export async function findReplaceable(parts: FinderParts, newer: Newer): Promise<Found[]> {
  const { judge, nowMs } = parts;
  const { memory } = newer;
  if (!isValidAt(memory, nowMs) || (judge.usesMeaning && !newer.nearest && !newer.vector)) return [];
  const [occurrences, nearest] = await Promise.all([occurrencesOf(parts, memory), nearestOf(parts, newer)]);
  const hits = nearest.length > 0 || judge.usesMeaning ? nearest : await byWords(parts, memory, occurrences);
  const candidates = await candidatesAmong(parts, newer, hits);
  const alike = await unjoined(parts, memory, judged(parts, memory, { candidates, occurrences, nearest }));
  const isSeries = alike.length > SERIES_FROM;
  const found = alike.filter(({ verdict }) => !isSeries || verdict === 'duplicate').slice(0, PROMISING_MAX);
  return (await undismissed(parts, memory, found)).slice(0, SHOWN_MAX);
}

async function occurrencesOf({ graph }: FinderParts, memory: Memory): Promise<Occurrences> {
  return (await graph.searchText({ terms: [...wordingOf(memory).terms], filter: {}, limit: 0 })).statistics;
}

/**
 * Searches memories that share rare words with the memory. Uses no filter, because a filter would take several times as
 * long as the search itself.
 */
async function byWords({ graph }: FinderParts, memory: Memory, { frequencies }: Occurrences) {
  const frequencyOf = (term: string) => frequencies.get(term) ?? 0;
  const rarest = [...wordingOf(memory).terms].sort((a, b) => frequencyOf(a) - frequencyOf(b)).slice(0, SEARCHED_TERMS);
  return (await graph.searchText({ terms: rarest, filter: {}, limit: CANDIDATES })).hits;
}

async function nearestOf({ vectors, model }: FinderParts, newer: Newer): Promise<readonly VectorHit[]> {
  const models = [model, SUPPLIED_EMBEDDING];
  const { vector, nearest: known } = newer;
  const searched = !known && vector ? await vectors.search({ vector, limit: NEAREST, filter: {}, models }) : [];
  const nearest = known ?? searched;
  return nearest.filter(({ id }) => id !== newer.memory.id);
}

/** Returns the earlier memories that may be about the same thing. */
async function candidatesAmong(
  { graph, nowMs }: FinderParts,
  { memory, isWritten = false }: Newer,
  hits: readonly { id: string }[],
): Promise<Wording[]> {
  const ids = new Set(hits.map(({ id }) => id));
  ids.delete(memory.id);
  const { scopes } = wordingOf(memory);
  const conversations = new Set(conversationsOf(memory));
  return [...(await graph.getMemories([...ids])).values()]
    .filter(other => other.timestamp < memory.timestamp || (isWritten && other.timestamp === memory.timestamp))
    .filter(other => isValidAt(other, nowMs) && !conversationsOf(other).some(each => conversations.has(each)))
    .map(wordingOf)
    .filter(other => !haveOtherScopes(other.scopes, scopes));
}

export interface Found extends Replaceable {
  verdict: Verdict;
}

interface Evidence {
  candidates: readonly Wording[];
  occurrences: Occurrences;
  nearest: readonly VectorHit[];
}

/** Returns the candidates that are alike enough, the most alike first. */
function judged({ judge }: FinderParts, memory: Memory, { candidates, occurrences, nearest }: Evidence): Found[] {
  const wording = wordingOf(memory);
  const meaningOf = meaningAmong(candidates, nearest);
  return candidates
    .map(other => {
      const evidence = { occurrences, meaning: meaningOf(other.memory.id) };
      return { other, similarity: judge.similarity(wording, other, evidence) };
    })
    .filter(({ similarity }) => judge.isEnough(similarity))
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ other }) => ({
      memory: other.memory,
      verdict: verdictOn(wording, other),
      why: reasonFor(wording, other, occurrences),
    }));
}

/** Returns the evidence of the vectors of each candidate. */
function meaningAmong(
  candidates: readonly Wording[],
  nearest: readonly VectorHit[],
): (id: string) => Meaning | undefined {
  const ids = new Set(candidates.map(({ memory }) => memory.id));
  const around = nearest.filter(({ id }) => ids.has(id));
  return id => {
    const found = around.find(each => each.id === id);
    const others = around.filter(each => each.id !== id).map(each => each.similarity);
    return found && { similarity: found.similarity, others };
  };
}

/** Leaves out memories that a caller has joined to the memory by an edge, or that another memory has replaced. */
async function unjoined({ graph }: FinderParts, { id }: Memory, found: readonly Found[]): Promise<Found[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ memory }) => memory.id);
  const edges = await graph.relationsOf({ ids, limit: EDGES_MAX, types: AUTHORABLE_RELATION_TYPES });
  return found.filter(({ memory }) => !isAnswered(edges.get(memory.id), { olderId: memory.id, newerId: id }));
}

/**
 * Whether callers have answered the question if the newer memory replaces the older one: they have joined the two by an
 * edge, or have replaced the older one by another memory.
 *
 * @param edges the edges of the older memory that callers may create
 */
export function isAnswered(
  edges: readonly Relation[] = [],
  { olderId, newerId }: { olderId: string; newerId: string },
): boolean {
  return edges.some(
    ({ from, to, type }) =>
      from === newerId || to === newerId || (from === olderId && SUPERSESSION_TYPES.includes(type)),
  );
}

/** Leaves out memories for which somebody has dismissed a proposal with the memory. */
async function undismissed({ graph }: FinderParts, { id }: Memory, found: readonly Found[]): Promise<Found[]> {
  const dismissed = await Promise.all(
    found.map(async ({ memory }) => {
      const nodes = PROPOSAL_KINDS.map(kind =>
        graph.getNode('ConsolidationProposal', proposalIdOf(kind, memory.id, id)),
      );
      return (await Promise.all(nodes)).some(node => node?.properties.state === 'dismissed');
    }),
  );
  return found.filter((_, index) => !dismissed[index]);
}
