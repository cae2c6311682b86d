/**
 * Step: of two notes about the same thing, places the newer note first. Marks the older note as possibly outdated if
 * the two notes cannot both be true.
 */
import { AUTHORABLE_RELATION_TYPES } from '../../domain/relation.js';
import { areExclusive } from '../../statement/exclusive.js';
import type { RecallContext } from '../context.js';
import type { Candidate, Pool, RetrievedQuestion } from '../pool.js';
import { MAX_GAP_MS } from '../score/conversations.js';
import { isEvidence } from '../score/own-evidence.js';
import { inOrder } from './order.js';
import { haveSameSubject, type Note, toNotes } from './same-thing.js';

/** Number of results after the page that are also compared. One of these results may belong on the page. */
const BEHIND_PAGE = 5;
/** Maximum number of results that are compared. It is limited, because every pair of these results is compared. */
const LOOKED_AT_MAX = 20;
/** Maximum number of words in a note. A longer text makes several statements, and usually only a few of them change. */
const NOTE_MAX_WORDS = 43;
/** Minimum score of the newer note, as a share of the older note's score. */
const SCORE_SHARE_MIN = 0.6;
/**
 * `SCORE_SHARE_MIN` for two notes that cannot both be true. It is lower, because the newer note is relevant even if its
 * words differ more.
 */
const SCORE_SHARE_MIN_OF_EXCLUSIVE = 0.4;
/** A preferred newer note gets the total of the older note plus this step, which is too small to overtake a third note. */
const STEP_AHEAD = 1e-9;
/** Number of edges read per memory. */
const EDGES_MAX = 100;

interface Pair {
  older: Note;
  newer: Note;
  /** Whether the two notes cannot both be true. */
  isExclusive: boolean;
}

export async function preferNewer(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  if (plan.order !== 'score' || plan.isListing || !plan.isCurrentOnly) return pool;
  const pairs = await withoutEdges(
    context,
    pool.asked.flatMap(asked => (asksForAnotherTime(asked) ? [] : pairsOf(pool, asked))),
  );
  if (pairs.length === 0) return pool;
  const { standings, marks } = judge(pairs);
  const kept = pool.kept.map(candidate => {
    const maybeOutdatedBy = marks.get(candidate);
    const standing = standings.get(candidate);
    return {
      ...candidate,
      ...(standing !== undefined && { standing }),
      ...(maybeOutdatedBy !== undefined && { maybeOutdatedBy }),
    };
  });
  return { ...pool, kept: inOrder(kept, plan.order) };
}

const ASKS_FOR_THE_FORMER =
  /\b(?:original(?:ly)?|initial(?:ly)?|previous(?:ly)?|former(?:ly)?|earlier|used to|at first|back then|in the past|history)\b/i;

/** Whether a question asks about another time than now. A question that names a date asks about that date. */
function asksForAnotherTime({ question, evidence }: RetrievedQuestion): boolean {
  return evidence.dates.length > 0 || ASKS_FOR_THE_FORMER.test(question.text);
}

/**
 * The pairs, sorted by the time of the newer note. In this order, `judge` ranks the newest of several versions first.
 */
function pairsOf({ kept }: Pool, asked: RetrievedQuestion): Pair[] {
  const best = kept
    .filter(candidate => candidate.asked === asked)
    .slice(0, Math.min(LOOKED_AT_MAX, asked.question.limit + BEHIND_PAGE))
    .filter(isNote);
  const notes = toNotes(asked, best).sort((a, b) => a.notedMs - b.notedMs);
  return notes.flatMap((newer, index) => notes.slice(0, index).flatMap(older => pairOf(older, newer) ?? []));
}

function isNote({ own, reading }: Candidate): boolean {
  return own.text.length <= NOTE_MAX_WORDS && isEvidence(own) && reading.talks.length === 0;
}

function pairOf(older: Note, newer: Note): Pair | undefined {
  if (older.notedMs === newer.notedMs || !haveSameSubject(older, newer)) return undefined;
  const { question } = newer.candidate.asked;
  const isExclusive = areExclusive(older.statement(), newer.statement(), question.text);
  // Skip notes from one session, because they belong together, unless the two notes contradict each other.
  return isExclusive || newer.notedMs - older.notedMs > MAX_GAP_MS ? { older, newer, isExclusive } : undefined;
}

/**
 * Removes pairs of notes that a caller has already connected by an edge, because a guess would repeat or contradict
 * this edge. Edges of the system are ignored: they only say that two memories are similar or consecutive, as the two
 * notes of a pair are anyway.
 */
async function withoutEdges({ graph }: RecallContext, pairs: readonly Pair[]): Promise<Pair[]> {
  if (pairs.length === 0) return [];
  const idOf = ({ candidate }: Note) => candidate.memory.id;
  const ids = [...new Set(pairs.map(({ newer }) => idOf(newer)))];
  const edges = await graph.relationsOf({ ids, limit: EDGES_MAX, types: AUTHORABLE_RELATION_TYPES });
  return pairs.filter(({ older, newer }) => {
    const joined = edges.get(idOf(newer)) ?? [];
    return !joined.some(({ from, to }) => from === idOf(older) || to === idOf(older));
  });
}

/**
 * Returns the new totals by which newer notes are sorted. Also returns the id of the newer note for each older note
 * that may be outdated. Scores stay unchanged.
 */
function judge(pairs: readonly Pair[]) {
  const standings = new Map<Candidate, number>();
  const marks = new Map<Candidate, string>();
  for (const { older, newer, isExclusive } of pairs) {
    const [mine, toPass] = [newer, older].map(({ candidate }) => standings.get(candidate) ?? candidate.score.total);
    const least = older.candidate.score.total * (isExclusive ? SCORE_SHARE_MIN_OF_EXCLUSIVE : SCORE_SHARE_MIN);
    if (mine === undefined || toPass === undefined || newer.candidate.score.total < least) continue;
    if (mine <= toPass) standings.set(newer.candidate, toPass + STEP_AHEAD);
    if (isExclusive) marks.set(older.candidate, newer.candidate.memory.id);
  }
  return { standings, marks };
}
