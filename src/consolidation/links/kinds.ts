/** Classifies why two memories belong together, as a kind of DISCOVERED edge (docs/consolidation.md, "Links"). */
import type { Memory } from '../../domain/memory.js';
import { verdictOn } from '../../replacement/judge.js';
import { wordingOf } from '../../replacement/wording.js';
import { byTime } from '../evidence/by-time.js';
import type { Rarity } from '../evidence/rarity.js';
import { sharedWords } from '../evidence/shared-words.js';
import type { Candidate } from './candidates.js';

export type LinkKind = 'explains' | 'shares_theme' | 'parallel_context';

export interface Link {
  candidate: Candidate;
  kind: LinkKind;
  /** The edge starts at the explaining memory, or at the newer memory if neither memory explains the other. */
  from: Memory;
  to: Memory;
  /** Words, names and tags that both memories have, rarest first. */
  shown: readonly string[];
}

/**
 * Minimum number of independent words that two linked memories share. By chance, two memories rarely share more than
 * one word.
 */
const INDEPENDENT_MIN = 2;
/** Memories of these types explain other memories. */
const EXPLAINING = new Set<Memory['type']>(['Insight', 'Pattern']);

/** @returns undefined if the two memories make the same statement, or share too little */
export function linkOf(candidate: Candidate, memories: ReadonlyMap<string, Memory>, rarity: Rarity): Link | undefined {
  const [a, b] = [memories.get(candidate.a.id), memories.get(candidate.b.id)];
  if (!a || !b) return undefined;
  const [older, newer] = byTime(a, b);
  const { shown, independentCount } = sharedWords(older, newer, rarity);
  if (independentCount < INDEPENDENT_MIN) return undefined;
  if (verdictOn(wordingOf(older), wordingOf(newer)) === 'duplicate') return undefined;
  const [explaining, explained] = EXPLAINING.has(newer.type) ? [newer, older] : [older, newer];
  if (EXPLAINING.has(explaining.type) && !EXPLAINING.has(explained.type)) {
    return { candidate, kind: 'explains', from: explaining, to: explained, shown };
  }
  const kind = older.type === newer.type ? 'parallel_context' : 'shares_theme';
  return { candidate, kind, from: newer, to: older, shown };
}
