/** Decides whether two results of a question are about the same thing, by their shared words, names and tags. */
import { readStatement } from '../../statement/read.js';
import { haveOtherScopes } from '../../statement/scopes.js';
import type { Statement } from '../../statement/statement.js';
import type { Candidate, RetrievedQuestion } from '../pool.js';
import { coverage, matchTerms } from '../score/components.js';
import { meaningfulStems } from '../score/text.js';

/** Minimum share of the question's total term weight that both notes must cover. */
const SHARED_MIN = 0.3;
/** Minimum Jaccard index of the words of two notes, without stop words. */
const ALIKE_MIN = 0.15;

/** A candidate that makes a single statement. */
export interface Note {
  candidate: Candidate;
  notedMs: number;
  /** For each term of the question, whether the note has the term in content or tags. */
  hasTerm: readonly boolean[];
  // The following values are computed when first needed, because most notes are never compared in detail.
  /** As returned by `meaningfulStems`. */
  stems(): ReadonlySet<number>;
  statement(): Statement;
  question(): Statement;
}

/** @param candidates results of the question */
export function toNotes(asked: RetrievedQuestion, candidates: readonly Candidate[]): Note[] {
  const question = once(() => readStatement(asked.question.text, 0));
  return candidates.map(candidate => {
    const { memory, own, reading } = candidate;
    const { notedMs } = reading;
    const matches = matchTerms(asked.evidence, own.text);
    const statement = once(() => readStatement(memory.content, notedMs));
    return {
      candidate,
      notedMs,
      hasTerm: matches.inContent.map((isInContent, index) => isInContent || matches.inTags[index] === true),
      stems: once(() => meaningfulStems(own.text)),
      statement,
      question,
    };
  });
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Whether two notes are about the same thing. Both notes are results of one question. */
export function haveSameSubject(a: Note, b: Note): boolean {
  const { evidence } = a.candidate.asked;
  const shared = a.hasTerm.map((has, index) => (has && b.hasTerm[index] ? 1 : 0));
  if (coverage(evidence, shared) < SHARED_MIN || likeness(a.stems(), b.stems()) < ALIKE_MIN) return false;
  if (haveOtherScopes(a.candidate.memory, b.candidate.memory)) return false;
  // If only one of the notes contains a name that the question contains, the notes are about different things.
  const texts = [a.question, a.statement, b.statement];
  const isNameOfOne = (term: string, index: number) =>
    a.hasTerm[index] !== b.hasTerm[index] && texts.some(read => read().names.has(term));
  return !evidence.terms.some(isNameOfOne);
}

/** The Jaccard index. */
function likeness(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const each of a) if (b.has(each)) shared += 1;
  return shared / Math.max(1, a.size + b.size - shared);
}
