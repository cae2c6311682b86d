/** Whether two results of a question speak of the same thing, by the words, names and tags that they have in common. */
import { ownTags } from '../../domain/entity.js';
import { isStopWord } from '../../domain/text.js';
import { tagKey } from '../../domain/tags.js';
import type { AskedQuestion, Candidate } from '../pool.js';
import { coverage } from '../score/components.js';
import type { Token } from './statement.js';

/** Share of the question, by weight of its terms, that both have. */
const SHARED_MIN = 0.3;
/** Share of the words of both that both have. */
const ALIKE_MIN = Number(process.env.PN_ALIKE ?? 0.15);

/** Of these a memory has one: two with different ones are about two things. */
const SCOPE_TAG = /^(?:project|repo|repository|app|service|product|customer|client|user|person|people|entity[:/][^:/]+)[:/]/;

export function shareWords(asked: AskedQuestion, a: Candidate, b: Candidate): boolean {
  const { evidence } = asked;
  const shared = evidence.terms.map(term => (hasTerm(a, term) && hasTerm(b, term) ? 1 : 0));
  return coverage(evidence, shared) >= SHARED_MIN && likeness(a, b) >= ALIKE_MIN;
}

/** Whether a name of the question is in one and not in the other, or each is about a project or person of its own. */
export function differInSubject(asked: AskedQuestion, texts: readonly Token[], a: Candidate, b: Candidate): boolean {
  const named = new Set(texts.filter(({ kind }) => kind === 'name').map(({ key }) => key));
  const isNameOfOne = (term: string) => named.has(term) && hasTerm(a, term) !== hasTerm(b, term);
  return asked.evidence.terms.some(isNameOfOne) || haveOtherScopes(a, b);
}

function hasTerm({ own }: Candidate, term: string): boolean {
  return own.text.contentStems.has(term) || own.text.tagStems.has(term);
}

function likeness(a: Candidate, b: Candidate): number {
  const [ofA, ofB] = [meaningfulStems(a), meaningfulStems(b)];
  let shared = 0;
  for (const each of ofA) if (ofB.has(each)) shared += 1;
  return shared / Math.max(1, ofA.size + ofB.size - shared);
}

function meaningfulStems({ own: { text } }: Candidate): Set<string> {
  return new Set(text.stems.filter((_, index) => !isStopWord(text.words[index] ?? '')));
}

function haveOtherScopes(a: Candidate, b: Candidate): boolean {
  const [ofA, ofB] = [scopesOf(a), scopesOf(b)];
  return [...ofA].some(([name, values]) => {
    const others = ofB.get(name);
    return others !== undefined && !values.some(value => others.includes(value));
  });
}

function scopesOf({ memory }: Candidate): Map<string, string[]> {
  const scopes = new Map<string, string[]>();
  for (const tag of ownTags(memory).map(tagKey)) {
    const name = SCOPE_TAG.exec(tag)?.[0];
    if (name !== undefined) scopes.set(name, [...(scopes.get(name) ?? []), tag]);
  }
  return scopes;
}
