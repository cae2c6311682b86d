/**
 * Step: a newer note passes an older one about the same thing if it covers every term of the question that the older
 * one covers (docs/decisions.md, "Order is the score"). The pass is the component `newer` of its score.
 */
import { haveOtherScopes, type Scopes, scopesOf } from '../../domain/entity.js';
import { inSteps } from '../../event-loop.js';
import type { RecallContext } from '../context.js';
import { byQuestion, type Candidate, inOrder, type Pool, type RetrievedQuestion } from '../pool.js';
import { BOUNDS } from '../ranking-constants.js';
import { isEvidence } from '../score/own-evidence.js';
import { raised } from '../score/score.js';
import { hasTagStem, meaningfulStems } from '../score/text.js';

export async function newer({ plan }: RecallContext, pool: Pool): Promise<Pool> {
  if (plan.order !== 'score' || plan.isListing || !plan.isCurrentOnly) return pool;
  const raisedTo = new Map<Candidate, Candidate>();
  const keptOf = byQuestion(pool.kept);
  for await (const asked of inSteps(pool.asked)) {
    const best = keptOf(asked).slice(0, BOUNDS.passingCandidates);
    // A question that names a date asks about that date.
    if (asked.evidence.dates.length > 0) continue;
    for (const [from, to] of passes(asked, best)) raisedTo.set(from, to);
  }
  if (raisedTo.size === 0) return pool;
  const kept = pool.kept.map(candidate => raisedTo.get(candidate) ?? candidate);
  return { ...pool, kept: inOrder(kept, plan.order) };
}

interface Note {
  candidate: Candidate;
  /** For each term of the question, its presence in the content, the date or the tags of the note, 0..1. */
  covers: readonly number[];
  /** Stems of the content without stop words. */
  stems: ReadonlySet<number>;
  scopes: Scopes;
}

/** Returns each note that passes another one, with its new score. Of several versions, the newest comes first. */
function passes(asked: RetrievedQuestion, candidates: readonly Candidate[]): Map<Candidate, Candidate> {
  const notes = candidates
    .filter(({ own, reading }) => isEvidence(own) && reading.talks.length === 0)
    .sort((a, b) => a.reading.notedMs - b.reading.notedMs)
    .map((candidate): Note => toNote(asked, candidate));
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

function toNote({ evidence }: RetrievedQuestion, candidate: Candidate): Note {
  const { own } = candidate;
  const covers = evidence.terms.map((term, index) => (hasTagStem(own.text, term) ? 1 : (own.presence[index] ?? 0)));
  return { candidate, covers, stems: meaningfulStems(own.text), scopes: scopesOf(candidate.memory) };
}

function isPassed(older: Note, note: Note): boolean {
  const [a, b] = [older.candidate, note.candidate];
  if (a.reading.notedMs === b.reading.notedMs || !older.covers.some(presence => presence > 0)) return false;
  if (!older.covers.every((presence, index) => presence <= (note.covers[index] ?? 0))) return false;
  return likeness(older.stems, note.stems) >= BOUNDS.alikeWords && !haveOtherScopes(older.scopes, note.scopes);
}

/** The Jaccard index. */
function likeness(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const each of a) if (b.has(each)) shared += 1;
  return shared / Math.max(1, a.size + b.size - shared);
}
