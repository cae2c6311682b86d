/** Step: reads each memory behind the hits once, and computes its evidence for the question. */
import type { FoundBy } from '../../domain/recall-results.js';
import type { RecallContext } from '../context.js';
import { failedFilterOf } from '../plan/failed-filter.js';
import { byQuestion, type Candidate, type Dropped, type Hit, type Pool, type RetrievedQuestion } from '../pool.js';
import { type Origin, scored, toCandidates } from '../score/candidates.js';

export async function hydrate(context: RecallContext, pool: Pool): Promise<Pool> {
  const { memories, plan } = context;
  const questions: RetrievedQuestion[] = [];
  const kept: Candidate[] = [];
  const dropped: Dropped[] = [];
  const failed = failedFilterOf(plan.filter);
  const hitsOf = byQuestion(pool.hits);
  for (const asked of pool.asked) {
    const foundBy = foundByOf(hitsOf(asked));
    const origins: Origin[] = [];
    for (const each of await memories.read(foundBy.keys())) {
      const { id } = each.memory;
      // Check the filter on the records of the graph, because an index may be out of date.
      const reason = failed(each.memory);
      if (reason) dropped.push({ id, step: 'hydrate', reason });
      else origins.push({ read: each, foundBy: foundBy.get(id) ?? [] });
    }
    const candidates = await toCandidates(context, asked, origins);
    const meaningShare = meaningShareOf(candidates);
    const speakers = speakersNamed(asked, candidates);
    const isSame = meaningShare === asked.meaningShare && speakers.size === 0;
    const heard = isSame ? asked : { ...asked, meaningShare, speakers };
    questions.push(heard);
    for (const candidate of candidates) {
      kept.push(isSame ? candidate : scored(context, { ...candidate, asked: heard }));
    }
  }
  return { ...pool, asked: questions, kept, dropped: [...pool.dropped, ...dropped] };
}

/**
 * Weight of closeness in meaning: the share of the question that the words of the best memory leave open. When the words
 * of a memory answer the question, closeness adds noise. When no words match, closeness is the only evidence.
 */
function meaningShareOf(candidates: readonly Candidate[]): number {
  return 1 - candidates.reduce((most, { own }) => Math.max(most, own.coverageOfFields), 0);
}

/**
 * The names in the question that are speakers. A capitalised word may also be a place or a month, so it counts as a
 * name only when a speaker has that name.
 */
function speakersNamed({ evidence }: RetrievedQuestion, candidates: readonly Candidate[]): ReadonlySet<string> {
  const speakers = candidates.flatMap(({ own }) => own.speaker ?? []);
  return new Set(speakers.filter(speaker => evidence.names.has(speaker)));
}

function foundByOf(hits: readonly Hit[]): Map<string, FoundBy[]> {
  const found = new Map<string, FoundBy[]>();
  for (const hit of hits) {
    const known = found.get(hit.id);
    if (!known) found.set(hit.id, [hit.foundBy]);
    else if (!known.includes(hit.foundBy)) known.push(hit.foundBy);
  }
  return found;
}
