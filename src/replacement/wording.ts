/** The words of a memory by which it is compared with other memories. */
import { ownTags, type Scopes, scopesOf, sharedScopes } from '../domain/entity.js';
import type { Memory } from '../domain/memory.js';
import { tagKey } from '../domain/tags.js';
import { beginningOf } from '../domain/text/characters.js';
import { inverseDocumentFrequency, queryTerms } from '../domain/text/terms.js';

/** Maximum number of characters compared. By default, tools do not store longer contents. */
const COMPARED_MAX_LENGTH = 2_000;
/**
 * Number of imaginary memories that are added to the statistics and contain none of the words. Without them, a word
 * that occurs once in a small store would weigh almost nothing, and a new word would outweigh all others.
 */
export const PRIOR_MEMORIES = 100;

/**
 * Assumed number of memories with a term that has not been counted: a usual word. Counting the words of every candidate
 * would take longer than everything else.
 */
const UNCOUNTED = 3;

/** Number of memories in which each term occurs. Some terms may be missing. */
export interface Occurrences {
  memoryCount: number;
  frequencies: ReadonlyMap<string, number>;
}

export interface Wording {
  memory: Memory;
  /** Stems of the meaningful words of the content. */
  said: ReadonlySet<string>;
  /** The same stems, and those of the tags that a caller gave. */
  terms: ReadonlySet<string>;
  scopes: Scopes;
}

/** Returns the distinct stems by which a text is compared with other texts. */
export function comparedTerms(text: string): Set<string> {
  return new Set(queryTerms(beginningOf(text, COMPARED_MAX_LENGTH)));
}

/** Records are frozen and shared, so each one is read once. */
const READ = new WeakMap<Memory, Wording>();

export function wordingOf(memory: Memory): Wording {
  const wording = READ.get(memory) ?? readWording(memory);
  READ.set(memory, wording);
  return wording;
}

function readWording(memory: Memory): Wording {
  const said = comparedTerms(memory.content);
  const terms = new Set([...said, ...ownTags(memory).flatMap(queryTerms)]);
  return { memory, said, terms, scopes: scopesOf(memory) };
}

/**
 * Stems of the scope tags that both memories have. They do not count as evidence, because all memories about one
 * project share its name.
 */
export function scopeTerms(a: Wording, b: Wording): Set<string> {
  return new Set(sharedScopes(a.scopes, b.scopes).flatMap(tag => queryTerms(tagKey(tag))));
}

export function weightOf(term: string, { frequencies, memoryCount }: Occurrences): number {
  return inverseDocumentFrequency(frequencies.get(term) ?? UNCOUNTED, memoryCount + PRIOR_MEMORIES);
}
