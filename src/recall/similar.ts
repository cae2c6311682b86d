/** Memories that say nearly the same as one that has just been stored. Words alone tell: no model is waited for. */
import type { Memory } from '../domain/memory.js';
import type { SimilarMemory } from '../domain/results.js';
import { comparedTerms, type Occurrences, similarity } from '../domain/similarity.js';
import type { RecallGraph } from './context.js';
import { supersessionFinder } from './select/supersessions.js';

/**
 * From here on two memories say nearly the same. Of the golden memories and of pairs made for this purpose, paraphrases have
 * 0.66 and more, and different facts in the same words 0.59 and less (tests/engine/similar.test.ts).
 */
const SIMILAR_FROM = 0.62;
/** Rarest first: what shares none of these with a text does not say nearly the same. */
const SEARCHED_TERMS = 12;
const CANDIDATES = 60;
/** Of these all words are counted. */
const PROMISING_MAX = 6;
const SHOWN_MAX = 3;

export interface SimilarRequest {
  /** A memory that is stored. */
  memory: Memory;
  /** Memories that are not meant, beside itself. */
  exceptIds: readonly string[];
  nowMs: number;
}

/** Those that hold now, closest first. A text search and two counts of words, however large the memory is. */
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

/** What it would be like if the memory itself were not there. */
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
    // Words that only the other has make two texts less similar, never more: they are counted for the few that may pass.
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
