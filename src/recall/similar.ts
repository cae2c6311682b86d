/**
 * Finds memories that say nearly the same as a memory that has just been stored. Compares words only, so that no caller
 * waits for a model.
 */
import type { Memory } from '../domain/memory.js';
import type { SimilarMemory } from '../domain/results.js';
import { comparedTerms, type Occurrences, similarity } from '../domain/similarity.js';
import type { RecallGraph } from './context.js';
import { supersessionFinder } from './select/supersessions.js';

/**
 * Two memories with at least this similarity say nearly the same. Among the golden memories and the pairs in
 * tests/engine/similar.test.ts, paraphrases have at least 0.66, and different facts in the same words at most 0.59.
 */
const SIMILAR_FROM = 0.62;
/** Number of words that are searched, rarest words first. A memory without any of these words is not similar enough. */
const SEARCHED_TERMS = 12;
const CANDIDATES = 60;
/** Number of memories that are compared by all their words. */
const PROMISING_MAX = 6;
const SHOWN_MAX = 3;

export interface SimilarRequest {
  /** The stored memory whose similar memories are requested. */
  memory: Memory;
  /** Memories to exclude, in addition to the memory itself. */
  exceptIds: readonly string[];
  nowMs: number;
}

/**
 * Currently valid similar memories, most similar first. Costs a text search and two counts of words, independent of the
 * number of memories.
 */
export async function findSimilar(
  graph: RecallGraph,
  { memory, exceptIds, nowMs }: SimilarRequest,
): Promise<SimilarMemory[]> {
  const own = comparedTerms(memory.content);
  const occurrences = withoutItself(await graph.countTerms([...own]), own);
  const terms = mostTelling(own, occurrences);
  if (terms.length === 0) return [];
  const { hits } = await graph.searchText({ terms, filter: { validAtMs: nowMs }, limit: CANDIDATES });
  const except = new Set([memory.id, ...exceptIds]);
  const ids = hits.map(({ id }) => id).filter(id => !except.has(id));
  const similar = await closest(graph, own, { occurrences, candidates: [...(await graph.getMemories(ids)).values()] });
  const superseded = await supersessionFinder(graph, nowMs)(similar.map(each => each.memory.id));
  return similar.filter(each => !superseded.has(each.memory.id)).slice(0, SHOWN_MAX);
}

/** Word statistics without the memory itself. */
function withoutItself({ memoryCount, frequencies }: Occurrences, own: ReadonlySet<string>): Occurrences {
  const others = [...frequencies].map(
    ([term, count]) => [term, own.has(term) ? Math.max(0, count - 1) : count] as const,
  );
  return { memoryCount: Math.max(0, memoryCount - 1), frequencies: new Map(others) };
}

function mostTelling(own: ReadonlySet<string>, { frequencies }: Occurrences): string[] {
  const frequencyOf = (term: string) => frequencies.get(term) ?? 0;
  return [...own]
    .filter(term => frequencyOf(term) > 0)
    .sort((a, b) => frequencyOf(a) - frequencyOf(b))
    .slice(0, SEARCHED_TERMS);
}

async function closest(
  graph: RecallGraph,
  own: ReadonlySet<string>,
  { occurrences, candidates }: { occurrences: Occurrences; candidates: readonly Memory[] },
): Promise<SimilarMemory[]> {
  const compared = candidates.map(memory => {
    const terms = comparedTerms(memory.content);
    // `most` is an upper bound, because words that occur only in the other memory can only lower the similarity. These
    // words are counted later, and only for memories that may still pass.
    const most = similarity(own, new Set([...terms].filter(term => own.has(term))), occurrences);
    return { memory, terms, most, estimate: most / new Set([...own, ...terms]).size };
  });
  const promising = compared
    .filter(({ most }) => most >= SIMILAR_FROM)
    .sort((a, b) => b.estimate - a.estimate)
    .slice(0, PROMISING_MAX);
  if (promising.length === 0) return [];
  const further = new Set(promising.flatMap(({ terms }) => [...terms].filter(term => !own.has(term))));
  const counted = further.size > 0 ? (await graph.countTerms([...further])).frequencies : new Map<string, number>();
  const all = { ...occurrences, frequencies: new Map([...occurrences.frequencies, ...counted]) };
  return promising
    .map(({ memory, terms }) => ({ memory, similarity: similarity(own, terms, all) }))
    .filter(each => each.similarity >= SIMILAR_FROM)
    .sort((a, b) => b.similarity - a.similarity);
}
