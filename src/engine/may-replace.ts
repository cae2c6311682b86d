/** Finds, for the answer to a write, the memories that the written memories may replace. */

import { MemoryError } from '../domain/errors.js';
import type { Memory } from '../domain/memory.js';
import type { MayReplace } from '../domain/results.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import { type FinderParts, findReplaceable, SHOWN_MAX } from '../replacement/finder.js';
import { createJudge } from '../replacement/judge.js';
import type { VectorStore } from '../stores/vector-store.js';
import { withinLimit } from '../time-limit.js';

/** Maximum time that the answer to a write waits, in milliseconds. */
const LIMIT_MS = 150;
/**
 * Maximum wait for the vectors of a model, in milliseconds. If the model takes longer or fails, only words are compared,
 * and enrichment compares the vectors later.
 */
const VECTORS_LIMIT_MS = 100;
/** Maximum number of memories of a batch that are compared. A larger batch is compared in the background only. */
const COMPARED_MAX = 10;
/** Judges by words. */
const WITHOUT_MEANING = { understandsMeaning: false, unrelatedSimilarity: 0 };

export interface AnswerParts {
  graph: FinderParts['graph'];
  vectors: VectorStore;
  embedder: Embedder;
  clock: Clock;
}

/** @throws MemoryError `unavailable` when the time limit has expired; the error of a store */
export async function findForAnswer(parts: AnswerParts, written: readonly Memory[]): Promise<MayReplace[]> {
  if (written.length === 0 || written.length > COMPARED_MAX) return [];
  return withinLimit(findEach(parts, written), { clock: parts.clock, limitMs: LIMIT_MS, late });
}

function late(): MemoryError {
  return new MemoryError('unavailable', `The comparison took longer than ${LIMIT_MS} ms`);
}

async function findEach(parts: AnswerParts, written: readonly Memory[]): Promise<MayReplace[]> {
  const { embedder, clock } = parts;
  const vectors = await vectorsOf(parts, written);
  const judge = createJudge(vectors ? embedder : WITHOUT_MEANING);
  const finder = { ...parts, judge, model: embedder.model, nowMs: clock.nowMs() };
  const ids = new Set(written.map(({ id }) => id));
  const found = await Promise.all(
    written.map(async (memory, index) => {
      const replaceable = await findReplaceable(finder, { memory, vector: vectors?.[index], isWritten: true });
      return replaceable
        .filter(older => older.memory.timestamp < memory.timestamp || !ids.has(older.memory.id))
        .map(each => ({ ...each, newerId: memory.id }));
    }),
  );
  return firstsOf(found).slice(0, SHOWN_MAX);
}

/** @returns undefined if the model does not understand meaning, takes too long, or fails */
async function vectorsOf({ embedder, clock }: AnswerParts, written: readonly Memory[]) {
  if (!embedder.understandsMeaning) return undefined;
  const made = embedder.embed(
    written.map(({ content }) => content),
    'document',
  );
  return withinLimit(made, { clock, limitMs: VECTORS_LIMIT_MS, late }).catch(() => undefined);
}

/** Returns the best of each list before the second of any list. */
function firstsOf(lists: readonly (readonly MayReplace[])[]): MayReplace[] {
  return [0, 1, 2].flatMap(rank => lists.flatMap(list => list[rank] ?? []));
}
