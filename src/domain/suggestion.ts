/**
 * The suggestion that a newer memory may replace an older one. It is stored with the older memory as one text: a digest
 * of both contents, and the id of the newer memory. A later edit of one of them therefore ends the suggestion.
 */
import { derivedDigest } from './derived-ids.js';
import type { Memory } from './memory.js';

const DIGEST_LENGTH = 40;

export function suggestionFor(older: Pick<Memory, 'content'>, newer: Pick<Memory, 'id' | 'content'>): string {
  return derivedDigest([older.content, newer.content]) + newer.id;
}

/** Returns the id of the newer memory. Undefined without a suggestion. */
export function suggestedId({ maybe_outdated_by: text }: Pick<Memory, 'maybe_outdated_by'>): string | undefined {
  return text?.slice(DIGEST_LENGTH);
}

/** Whether the suggestion of the older memory names the newer one, and both have their contents of then. */
export function isSuggested(older: Pick<Memory, 'content' | 'maybe_outdated_by'>, newer: Memory): boolean {
  return older.maybe_outdated_by === suggestionFor(older, newer);
}

export const PROPOSAL_KINDS = ['duplicate', 'replaced'] as const;

/** Returns the id of the proposal that consolidation makes for two memories. */
export function proposalIdOf(kind: (typeof PROPOSAL_KINDS)[number], one: string, other: string): string {
  return derivedDigest([kind, ...[one, other].sort()]);
}
