/** Decides whether a memory matches a question by its own words or meaning, or is only a neighbour of such a memory. */
import type { RecalledMemory } from '../../src/domain/recall.js';
import { indexedTerms, queryTerms } from '../../src/domain/text/terms.js';

const CLOSE_FROM = 0.15;

/** The stems of a question that also occur in the content or the tags of a memory. */
export function sharedStems(question: string, { content, tags }: { content: string; tags: readonly string[] }) {
  const { ofContent, ofTags } = indexedTerms({ content, tags, metadata: {} });
  const own = new Set([...ofContent, ...ofTags]);
  return queryTerms(question).filter(term => own.has(term));
}

export function hasOwnEvidence(question: string, { memory, components }: RecalledMemory): boolean {
  return sharedStems(question, memory).length > 0 || components.vector >= CLOSE_FROM;
}
