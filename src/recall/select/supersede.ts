/** Steps that put newer memories before the older ones that they replace, or that say less about the same thing. */

import { haveOtherScopes, type Scopes, scopesOf } from '../../domain/entity.js';
import { createFilterCheck } from '../../domain/filter.js';
import { inSteps } from '../../event-loop.js';
import type { RecallContext } from '../context.js';
import { byQuery, type Candidate, type Dropped, inOrder, type Pool, type RetrievedQuery, superseded } from '../pool.js';
import { BOUNDS } from '../ranking-constants.js';
import { isEvidence, presenceInFields } from '../score/evidence.js';
import { raised, toCandidates } from '../score/score.js';
import { meaningfulStems } from '../score/text.js';
import type { Supersession } from './supersessions.js';

type Supersessions = ReadonlyMap<string, Supersession>;

/**
 * Step: replaces superseded memories by their current successors. A successor gets the best score of the memories that
 * it supersedes, whatever its own words (docs/decisions.md, "Successors"). A recall of current memories drops the
 * superseded memories. A recall with history keeps them, and adds the id of the successor to each.
 */
export async function supersede(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  if (pool.kept.length === 0) return pool;
  const ids = new Set(pool.kept.map(({ memory }) => memory.id));
  const supersessions = await context.supersessions([...ids]);
  if (supersessions.size === 0) return pool;
  const dropped: Dropped[] = [];
  const kept: Candidate[] = [];
  for (const [query, candidates] of byQuery(pool, pool.kept)) {
    const gone = candidates.filter(({ memory }) => supersessions.has(memory.id));
    const current = candidates.filter(({ memory }) => !supersessions.has(memory.id));
    const present = await withSuccessors(context, query, { current, gone, supersessions });
    kept.push(...present);
    if (plan.isCurrentOnly) dropped.push(...droppedFor(gone, present, supersessions));
    else kept.push(...gone.map(candidate => withSuccessor(candidate, supersessions)));
  }
  return { ...pool, kept: inOrder(kept, plan.order), dropped: [...pool.dropped, ...dropped] };
}

function droppedFor(
  gone: readonly Candidate[],
  present: readonly Candidate[],
  supersessions: Supersessions,
): Dropped[] {
  const replaced = new Set(present.map(({ replaces }) => replaces?.id));
  return gone.map(candidate => {
    const { id } = candidate.memory;
    const { head, type } = supersessions.get(id) as Supersession;
    return { ...superseded({ id, type }, head.id, 'supersede'), candidate, isReplaced: replaced.has(id) };
  });
}

export function withSuccessor(candidate: Candidate, supersessions: Supersessions): Candidate {
  const supersession = supersessions.get(candidate.memory.id);
  return supersession
    ? { ...candidate, supersededBy: { id: supersession.head.id, type: supersession.type } }
    : candidate;
}

interface Places {
  current: readonly Candidate[];
  gone: readonly Candidate[];
  supersessions: Supersessions;
}

/** Returns the current candidates and the successors of the others. */
async function withSuccessors(
  context: RecallContext,
  query: RetrievedQuery,
  { current, gone, supersessions }: Places,
): Promise<Candidate[]> {
  const { memories, plan } = context;
  // How far a listing by time reaches depends on the limit. What only the listing found therefore brings no successor.
  const isInTime = plan.order !== 'score' && !plan.isListing;
  const lasting = isInTime ? gone.filter(({ foundBy }) => foundBy.some(each => each !== 'list')) : gone;
  const predecessors = bestPredecessors(lasting, supersessions);
  const known = new Set(current.map(({ memory }) => memory.id));
  const read = await memories.read([...predecessors.keys()].filter(id => !known.has(id)));
  // Add no successors to a listing, because the listing already contains them at their own places.
  const failedPart = createFilterCheck(plan.filter);
  const fitting = plan.isListing ? [] : read.filter(({ memory }) => failedPart(memory) === undefined);
  const added = await toCandidates(
    context,
    query,
    fitting.map(analyzed => ({ analyzed, foundBy: ['state'] as const })),
  );
  return [...current, ...added].map(candidate => {
    const predecessor = predecessors.get(candidate.memory.id);
    return predecessor ? heirOf(candidate, predecessor, plan.isListing) : candidate;
  });
}

interface Predecessor {
  candidate: Candidate;
  type: Supersession['type'];
}

/** Returns, by the id of each successor, the superseded candidate with the best score. */
function bestPredecessors(gone: readonly Candidate[], supersessions: Supersessions): Map<string, Predecessor> {
  const found = new Map<string, Predecessor>();
  for (const candidate of gone) {
    for (const { head, type } of supersessions.get(candidate.memory.id)?.heads ?? []) {
      const best = found.get(head.id);
      if (!best || candidate.score.total > best.candidate.score.total) found.set(head.id, { candidate, type });
    }
  }
  return found;
}

function heirOf(heir: Candidate, { candidate, type }: Predecessor, isListing: boolean): Candidate {
  const replaces = { id: candidate.memory.id, type };
  const { total } = candidate.score;
  if (isListing || total <= heir.score.total) return { ...heir, replaces };
  return { ...heir, replaces, heirOf: candidate, score: raised(heir.score, 'inherited', total) };
}

/**
 * Step: a newer note passes an older one about the same thing if it covers every term of the query that the older one
 * covers (docs/decisions.md, "Order is the score"). The pass is the component `newer` of its score.
 */
export async function newer({ plan }: RecallContext, pool: Pool): Promise<Pool> {
  if (plan.order !== 'score' || plan.isListing || !plan.isCurrentOnly) return pool;
  const raisedTo = new Map<Candidate, Candidate>();
  for await (const [query, candidates] of inSteps(byQuery(pool, pool.kept))) {
    // A query that names a date asks about that date.
    if (query.analysis.dates.length > 0) continue;
    for (const [from, to] of passes(candidates.slice(0, BOUNDS.passingCandidates))) raisedTo.set(from, to);
  }
  if (raisedTo.size === 0) return pool;
  const kept = pool.kept.map(candidate => raisedTo.get(candidate) ?? candidate);
  return { ...pool, kept: inOrder(kept, plan.order) };
}

interface Note {
  candidate: Candidate;
  /**
   * For each term of the query, its presence in the content, the date or the tags of the note, or of the note whose place
   * it has, 0..1.
   */
  covers: readonly number[];
  /** Stems of the content without stop words. */
  stems: ReadonlySet<number>;
  scopes: Scopes;
}

/** Returns each note that passes another one, with its new score. Of several versions, the newest comes first. */
function passes(candidates: readonly Candidate[]): Map<Candidate, Candidate> {
  const notes = candidates
    .filter(({ own, conversations }) => isEvidence(own) && conversations.length === 0)
    .sort((a, b) => a.createdMs - b.createdMs)
    .map(toNote);
  const found = new Map<Candidate, Candidate>();
  const totalOf = ({ candidate }: Note) => (found.get(candidate) ?? candidate).score.total;
  for (const [index, note] of notes.entries()) {
    const { candidate } = note;
    const passed = notes
      .slice(0, index)
      .filter(older => totalOf(older) >= candidate.score.total && isPassed(older, note));
    if (passed.length === 0) continue;
    const score = raised(candidate.score, 'newer', Math.max(...passed.map(totalOf)) + BOUNDS.passStep);
    found.set(candidate, { ...candidate, score });
  }
  return found;
}

function toNote(candidate: Candidate): Note {
  const { text, memory, heirOf: replaced } = candidate;
  const inherited = replaced ? presenceInFields(replaced) : [];
  const covers = presenceInFields(candidate).map((presence, term) => Math.max(presence, inherited[term] ?? 0));
  return { candidate, covers, stems: meaningfulStems(text), scopes: scopesOf(memory) };
}

function isPassed(older: Note, note: Note): boolean {
  const [a, b] = [older.candidate, note.candidate];
  if (a.createdMs === b.createdMs || !older.covers.some(presence => presence > 0)) return false;
  // The caller has named the older note, or its tags.
  if (a.score.components.context > b.score.components.context) return false;
  if (!older.covers.every((presence, index) => presence <= (note.covers[index] ?? 0))) return false;
  return similarity(older.stems, note.stems) >= BOUNDS.wordSimilarity && !haveOtherScopes(older.scopes, note.scopes);
}

/** The Jaccard index. */
function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const each of a) if (b.has(each)) shared += 1;
  return shared / Math.max(1, a.size + b.size - shared);
}
