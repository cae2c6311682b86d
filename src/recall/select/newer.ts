/**
 * Step: a newer note passes an older one about the same thing if it covers every term of the query that the older
 * one covers (docs/decisions.md, "Order is the score"). The pass is the component `newer` of its score.
 */
import { haveOtherScopes, type Scopes, scopesOf } from '../../domain/entity.js';
import { inSteps } from '../../event-loop.js';
import type { RecallContext } from '../context.js';
import { byQuery, type Candidate, inOrder, type Pool } from '../pool.js';
import { BOUNDS } from '../ranking-constants.js';
import { isEvidence, presenceInFields } from '../score/evidence.js';
import { raised } from '../score/score.js';
import { meaningfulStems } from '../score/text.js';

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
  /** For each term of the query, its presence in the content, the date or the tags of the note, 0..1. */
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
  const { text, memory } = candidate;
  return { candidate, covers: presenceInFields(candidate), stems: meaningfulStems(text), scopes: scopesOf(memory) };
}

function isPassed(older: Note, note: Note): boolean {
  const [a, b] = [older.candidate, note.candidate];
  if (a.createdMs === b.createdMs || !older.covers.some(presence => presence > 0)) return false;
  if (!older.covers.every((presence, index) => presence <= (note.covers[index] ?? 0))) return false;
  return similarity(older.stems, note.stems) >= BOUNDS.wordSimilarity && !haveOtherScopes(older.scopes, note.scopes);
}

/** The Jaccard index. */
function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const each of a) if (b.has(each)) shared += 1;
  return shared / Math.max(1, a.size + b.size - shared);
}
