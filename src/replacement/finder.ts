/**
 * Finds the memories that a memory may replace. The answer to a store tells them to the assistant, and enrichment keeps
 * them as suggestions (docs/decisions/recall.md, "What may be outdated").
 */
import { isValidAt } from '../domain/filter.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../domain/memory.js';
import { AUTHORABLE_RELATION_TYPES, SUPERSESSION_TYPES } from '../domain/relation.js';
import type { Replaceable } from '../domain/results.js';
import { PROPOSAL_KINDS, proposalIdOf } from '../domain/suggestion.js';
import { conversationsOf } from '../recall/score/conversations.js';
import type { EdgeStore } from '../stores/ports/edge-store.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { NodeStore } from '../stores/ports/node-store.js';
import type { SearchIndex } from '../stores/ports/search-index.js';
import type { VectorHit, VectorStore } from '../stores/vector-store.js';
import { type Judge, type Meaning, reasonFor, verdictOn } from './judge.js';
import { haveOtherScopes } from './scopes.js';
import { type Occurrences, type Wording, wordingOf } from './wording.js';

/** Number of words that are searched, rarest words first. */
const SEARCHED_TERMS = 12;
const CANDIDATES = 40;
/** Number of nearest vectors that are compared. */
export const NEAREST = 16;
/** Number of memories that are compared by all their words. */
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
  graph: Pick<SearchIndex, 'countTerms' | 'searchText'> &
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
export async function findReplaceable(parts: FinderParts, newer: Newer): Promise<Replaceable[]> {
  const { judge, nowMs } = parts;
  const { memory } = newer;
  if (!isValidAt(memory, nowMs) || (judge.usesMeaning && !newer.nearest && !newer.vector)) return [];
  const wording = wordingOf(memory);
  const [occurrences, nearest] = await Promise.all([
    parts.graph.countTerms([...wording.terms]).then(found => withoutItself(found, wording)),
    nearestOf(parts, newer),
  ]);
  const candidates = await candidatesFor(parts, newer, { wording, occurrences, nearest });
  const alike = await judged(parts, wording, { candidates, occurrences, nearest });
  const isSeries = alike.length > SERIES_FROM;
  const found = alike.filter(({ verdict }) => !isSeries || verdict === 'duplicate').slice(0, PROMISING_MAX);
  return (await unsettled(parts, memory, found)).slice(0, SHOWN_MAX);
}

/** Word statistics without the memory itself. */
function withoutItself({ memoryCount, frequencies }: Occurrences, { terms }: Wording): Occurrences {
  const others = new Map([...frequencies].map(([term, count]) => [term, Math.max(0, count - Number(terms.has(term)))]));
  // Words of the other memories are counted later. Until then they count as usual words.
  const unknown = [...others.values()].sort((a, b) => a - b)[others.size >> 1] ?? 0;
  return { memoryCount: Math.max(0, memoryCount - 1), frequencies: others, unknown };
}

async function nearestOf({ judge, vectors, model, nowMs }: FinderParts, newer: Newer): Promise<readonly VectorHit[]> {
  if (!judge.usesMeaning) return [];
  if (newer.nearest || !newer.vector) return newer.nearest ?? [];
  const models = [model, SUPPLIED_EMBEDDING];
  return vectors.search({ vector: newer.vector, limit: NEAREST, filter: { validAtMs: nowMs }, models });
}

interface Evidence {
  wording: Wording;
  occurrences: Occurrences;
  nearest: readonly VectorHit[];
}

/** Returns the earlier memories that share rare words with the memory or are close to it, and may be about the same. */
async function candidatesFor(
  { graph, nowMs }: FinderParts,
  { memory, isWritten = false }: Newer,
  { wording, occurrences, nearest }: Evidence,
): Promise<Wording[]> {
  const terms = rarest(wording, occurrences);
  const filter = { validAtMs: nowMs, toMs: Date.parse(memory.timestamp) };
  const { hits } = terms.length > 0 ? await graph.searchText({ terms, filter, limit: CANDIDATES }) : { hits: [] };
  const ids = new Set([...hits, ...nearest].map(({ id }) => id));
  ids.delete(memory.id);
  const conversations = new Set(conversationsOf(memory));
  return [...(await graph.getMemories([...ids])).values()]
    .filter(other => other.timestamp < memory.timestamp || (isWritten && other.timestamp === memory.timestamp))
    .filter(other => isValidAt(other, nowMs) && !conversationsOf(other).some(each => conversations.has(each)))
    .map(wordingOf)
    .filter(other => !haveOtherScopes(other.scopes, wording.scopes));
}

function rarest({ terms }: Wording, { frequencies }: Occurrences): string[] {
  const frequencyOf = (term: string) => frequencies.get(term) ?? 0;
  return [...terms]
    .filter(term => frequencyOf(term) > 0)
    .sort((a, b) => frequencyOf(a) - frequencyOf(b))
    .slice(0, SEARCHED_TERMS);
}

interface Judged extends Replaceable {
  verdict: ReturnType<typeof verdictOn>;
}

/** Returns the candidates that are alike enough, the most alike first. */
async function judged(
  { graph, judge }: FinderParts,
  wording: Wording,
  { candidates, occurrences, nearest }: Omit<Evidence, 'wording'> & { candidates: readonly Wording[] },
): Promise<Judged[]> {
  const meaningOf = meaningAmong(candidates, nearest);
  const rank = (some: readonly Wording[], known: Occurrences) =>
    some
      .map(other => {
        const evidence = { occurrences: known, meaning: meaningOf(other.memory.id) };
        return { other, likeness: judge.likeness(wording, other, evidence) };
      })
      .sort((a, b) => b.likeness - a.likeness);
  const promising = rank(candidates, occurrences).slice(0, PROMISING_MAX);
  const further = new Set(promising.flatMap(({ other }) => [...other.terms].filter(term => !wording.terms.has(term))));
  const counted = further.size > 0 ? (await graph.countTerms([...further])).frequencies : new Map<string, number>();
  const all = { ...occurrences, frequencies: new Map([...occurrences.frequencies, ...counted]) };
  return rank(
    promising.map(({ other }) => other),
    all,
  )
    .filter(({ likeness }) => judge.isEnough(likeness))
    .map(({ other }) => ({
      memory: other.memory,
      verdict: verdictOn(wording, other),
      why: reasonFor(wording, other, all),
    }));
}

/** Returns the evidence of the vectors of each candidate. */
function meaningAmong(
  candidates: readonly Wording[],
  nearest: readonly VectorHit[],
): (id: string) => Meaning | undefined {
  const ids = new Set(candidates.map(({ memory }) => memory.id));
  const similarities = new Map(nearest.map(({ id, similarity }) => [id, similarity]));
  const least = Math.min(...similarities.values());
  const around = nearest.filter(({ id }) => ids.has(id));
  return id => {
    if (similarities.size === 0) return undefined;
    // A candidate that is not among the nearest is at most as close as the last of these.
    const similarity = similarities.get(id) ?? least;
    return { similarity, others: around.filter(each => each.id !== id).map(each => each.similarity) };
  };
}

/**
 * Leaves out memories whose relation to the memory is settled: a caller has joined the two by an edge, another memory
 * has replaced the older one, or somebody has dismissed a proposal for the two.
 */
async function unsettled({ graph }: FinderParts, { id }: Memory, found: readonly Judged[]): Promise<Replaceable[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ memory }) => memory.id);
  const edges = await graph.relationsOf({ ids, limit: EDGES_MAX, types: AUTHORABLE_RELATION_TYPES });
  const open = found.filter(({ memory }) =>
    (edges.get(memory.id) ?? []).every(
      ({ from, to, type }) => from !== id && to !== id && !(from === memory.id && SUPERSESSION_TYPES.includes(type)),
    ),
  );
  const dismissed = await Promise.all(
    open.map(async ({ memory }) => {
      const nodes = PROPOSAL_KINDS.map(kind =>
        graph.getNode('ConsolidationProposal', proposalIdOf(kind, memory.id, id)),
      );
      return (await Promise.all(nodes)).some(node => node?.properties.state === 'dismissed');
    }),
  );
  return open.filter((_, index) => !dismissed[index]);
}
