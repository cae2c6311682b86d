/** Measures how well the plans of consolidation find the planted pairs. */
import type { Change, GroupSummary, LinkChange, Proposal } from '../../src/domain/consolidation.js';
import { adjustedRandIndex } from './agreement.js';
import type { Half, Pair } from './corpus/read-corpus.js';
import type { PlantedCorpus } from './planted-corpus.js';

export const keyOf = (pair: readonly string[]) => [...pair].sort().join(' ');

export interface PairFigures {
  planted: number;
  found: number;
  /** Keys of the pairs in the plan that were not planted. */
  wrong: string[];
  recall: number;
  precision: number;
}

function figuresOf(planted: readonly Pair[], said: readonly Pair[]): PairFigures {
  const wanted = new Set(planted.map(keyOf));
  const wrong = said.map(keyOf).filter(key => !wanted.has(key));
  const found = new Set(said.map(keyOf).filter(key => wanted.has(key))).size;
  const precision = said.length === 0 ? 0 : found / (found + wrong.length);
  return { planted: wanted.size, found, wrong, recall: found / wanted.size, precision };
}

function idsOf({ memories }: PlantedCorpus, half: Half | undefined): Set<string> {
  return new Set(memories.filter(memory => half === undefined || memory.half === half).map(({ id }) => id));
}

const within = (ids: ReadonlySet<string>, pairs: readonly Pair[]) => pairs.filter(([a, b]) => ids.has(a) && ids.has(b));

/**
 * Measures the links between memories of different topics. Only the planted links are right. Within a topic, any two
 * memories may be related, so links within a topic cannot be judged and are counted separately.
 *
 * @param edged pairs that already had an edge; a link for such a pair counts as wrong
 */
export function measureLinks(
  corpus: PlantedCorpus,
  { changes, edged, half }: { changes: readonly Change[]; edged: ReadonlySet<string>; half?: Half },
): PairFigures & { withinTopics: number } {
  const ids = idsOf(corpus, half);
  const topicOf = new Map(corpus.memories.map(({ id, topic, half: of }) => [id, `${of} ${topic}`]));
  const said = within(
    ids,
    linksIn(changes).map(({ relation }): Pair => [relation.from, relation.to]),
  );
  const across = said.filter(([a, b]) => topicOf.get(a) !== topicOf.get(b));
  const planted = within(ids, corpus.links).filter(pair => !edged.has(keyOf(pair)));
  return { ...figuresOf(planted, across), withinTopics: said.length - across.length };
}

export function linksIn(changes: readonly Change[]): LinkChange[] {
  return changes.filter(change => change.kind === 'link');
}

export function summariesIn(changes: readonly Change[]): GroupSummary[] {
  return changes.flatMap(change => (change.kind === 'summary' && change.after ? [change.after] : []));
}

export function proposalsIn(changes: readonly Change[], kind?: Proposal['kind']): Proposal[] {
  const proposals = changes.flatMap(change => (change.kind === 'proposal' ? [change.proposal] : []));
  return proposals.filter(proposal => kind === undefined || proposal.kind === kind);
}

export function measureProposals(
  corpus: PlantedCorpus,
  { changes, kind, half }: { changes: readonly Change[]; kind: Proposal['kind']; half?: Half },
): PairFigures {
  const ids = idsOf(corpus, half);
  const said = proposalsIn(changes, kind).map(({ olderId, newerId }): Pair => [olderId, newerId]);
  const planted = kind === 'duplicate' ? corpus.duplicates : corpus.replaced;
  return figuresOf(within(ids, planted), within(ids, said));
}

/** Measures how well the groups agree with the topics. A memory without a group counts as a separate group. */
export function measureGroups(
  corpus: PlantedCorpus,
  { changes, half }: { changes: readonly Change[]; half?: Half },
): { groups: number; grouped: number; memories: number; agreement: number } {
  const summaries = summariesIn(changes);
  const groupOf = new Map(summaries.flatMap(({ id, memberIds }) => memberIds.map(member => [member, id] as const)));
  const memories = corpus.memories.filter(memory => half === undefined || memory.half === half);
  const topics = memories.map(({ topic, half: of }) => `${of} ${topic}`);
  const labels = memories.map(({ id }) => groupOf.get(id) ?? id);
  const grouped = memories.filter(({ id }) => groupOf.has(id)).length;
  const agreement = adjustedRandIndex(labels, topics);
  return { groups: summaries.length, grouped, memories: memories.length, agreement };
}
