/** Step: of two notes that speak of the same thing and differ, the newer one stands first. */
import { AUTHORABLE_RELATION_TYPES } from '../../domain/relation.js';
import type { RecallContext } from '../context.js';
import type { AskedQuestion, Candidate, Pool } from '../pool.js';
import { isEvidence } from '../score/own-evidence.js';
import { MAX_GAP_MS, talksOf } from '../score/talks.js';
import { cannotBothHold, type Statement, toStatement } from './differ.js';
import { inOrder } from './order.js';
import { differInSubject, shareWords } from './same-thing.js';
import { readStatement, type Token } from './statement.js';

/** Results beyond the page that are looked at, since one of them may belong on it. */
const BEYOND_PAGE = 5;
const LOOKED_AT_MAX = 25;
/** A longer text says several things, of which few can have changed. */
const NOTE_MAX_WORDS = 43;
/** Least share of the older note's score that the newer one has; less where the two cannot both be true. */
const SCORE_SHARE_MIN = Number(process.env.PN_RATIO ?? 0.6);
const SCORE_SHARE_MIN_IF_EXCLUSIVE = 0.4;
/** Enough to stand before it, and too little to stand before anything else. */
const STEP_AHEAD = 1e-9;
/** Edges read of one memory. */
const EDGES_MAX = 100;

interface Pair {
  older: Note;
  newer: Note;
  /** Whether the two cannot both be true. */
  isExclusive: boolean;
}

interface Note extends Statement {
  candidate: Candidate;
}

export async function preferNewer(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  if (plan.order !== 'score' || plan.isListing || !plan.isCurrentOnly) return pool;
  const pairs = await withoutEdges(context, pool.asked.flatMap(asked => pairsOf(pool, asked)));
  if (pairs.length === 0) return pool;
  const totals = new Map<Candidate, number>();
  const marks = new Map<Candidate, string>();
  // From the oldest on: what stands before the second of three notes has to stand before the first too.
  for (const { older, newer, isExclusive } of pairs) {
    const totalOf = ({ candidate }: Note) => totals.get(candidate) ?? candidate.score.total;
    const isAhead = totalOf(newer) > totalOf(older);
    if (!isAhead && !isNear(older, newer, isExclusive)) continue;
    if (!isAhead) totals.set(newer.candidate, totalOf(older) + STEP_AHEAD);
    if (isExclusive) marks.set(older.candidate, newer.candidate.memory.id);
  }
  const kept = pool.kept.map(candidate => {
    const maybeOutdatedBy = marks.get(candidate);
    return { ...withTotal(candidate, totals.get(candidate)), ...(maybeOutdatedBy !== undefined && { maybeOutdatedBy }) };
  });
  return { ...pool, kept: inOrder(kept, plan.order) };
}

/** By the time of the newer one. */
function pairsOf({ kept }: Pool, asked: AskedQuestion): Pair[] {
  const count = Math.min(LOOKED_AT_MAX, asked.question.limit + BEYOND_PAGE);
  const notes = kept
    .filter(candidate => candidate.asked === asked)
    .slice(0, count)
    .filter(isNote)
    .map(lazyNote)
    .sort((a, b) => a.notedMs - b.notedMs);
  const question = readStatement(asked.question.text);
  return notes.flatMap((newer, index) =>
    notes.slice(0, index).flatMap(older => {
      const isExclusive = compare(asked, question, [older, newer]);
      return isExclusive === undefined ? [] : [{ older, newer, isExclusive }];
    }),
  );
}

function isNote({ own, memory }: Candidate): boolean {
  return isEvidence(own) && own.text.stems.length <= NOTE_MAX_WORDS && talksOf(memory).length === 0;
}

/** Most notes are never compared word by word. */
function lazyNote(candidate: Candidate): Note {
  let read: Statement | undefined;
  const notedMs = Date.parse(candidate.memory.timestamp);
  const statement = () => (read ??= toStatement(readStatement(candidate.memory.content), notedMs));
  return {
    candidate,
    notedMs,
    get tokens() {
      return statement().tokens;
    },
    get keys() {
      return statement().keys;
    },
  };
}

/** Whether the two cannot both be true; undefined where they are about two things. */
function compare(asked: AskedQuestion, question: readonly Token[], [older, newer]: [Note, Note]): boolean | undefined {
  const [a, b] = [older.candidate, newer.candidate];
  if (older.notedMs === newer.notedMs || !shareWords(asked, a, b)) return undefined;
  if (differInSubject(asked, [...question, ...older.tokens, ...newer.tokens], a, b)) return undefined;
  const isExclusive = cannotBothHold(older, newer, asked.question.text);
  // What is noted in one sitting goes together.
  return isExclusive || newer.notedMs - older.notedMs > MAX_GAP_MS ? isExclusive : undefined;
}

function isNear(older: Note, newer: Note, isExclusive: boolean): boolean {
  const least = isExclusive ? SCORE_SHARE_MIN_IF_EXCLUSIVE : SCORE_SHARE_MIN;
  return newer.candidate.score.total >= older.candidate.score.total * least;
}

/**
 * Whoever has joined two memories has said how the two relate, whatever the type: we do not guess beside it. Edges that the
 * system makes say that two memories are near in meaning or time, which nearly all such pairs are.
 */
async function withoutEdges({ graph }: RecallContext, pairs: readonly Pair[]): Promise<Pair[]> {
  if (pairs.length === 0) return [];
  const idOf = ({ candidate }: Note) => candidate.memory.id;
  const ids = [...new Set(pairs.map(({ newer }) => idOf(newer)))];
  const edges = await graph.relationsOf({ ids, limit: EDGES_MAX, types: AUTHORABLE_RELATION_TYPES });
  return pairs.filter(
    ({ older, newer }) => !edges.get(idOf(newer))?.some(({ from, to }) => from === idOf(older) || to === idOf(older)),
  );
}

/** What lifts it is a part of its score, so that score and order agree wherever results are merged or cut. */
function withTotal(candidate: Candidate, total: number | undefined): Candidate {
  if (total === undefined) return candidate;
  const { components, total: before } = candidate.score;
  return { ...candidate, score: { ...candidate.score, total, components: { ...components, context: components.context + total - before } } };
}
