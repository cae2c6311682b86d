/** Ids and suggestions derived from content: the same content always gives the same id. */
import { createHash } from 'node:crypto';
import type { Memory } from './memory.js';

/** Returns 40 hexadecimal digits. */
export function derivedDigest(parts: readonly string[]): string {
  return createHash('sha1').update(parts.join('\n')).digest('hex');
}

/** Returns an id in the form of a version 5 UUID. */
export function derivedUuid(parts: readonly string[]): string {
  const digits = derivedDigest(parts);
  const variant = ((Number.parseInt(digits.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `5${digits.slice(13, 16)}`,
    `${variant}${digits.slice(18, 20)}`,
  ];
  return [...groups, digits.slice(20, 32)].join('-');
}

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
