/** A memory under consideration, with the evidence for it gathered so far. */
import type { Memory } from '../domain/memory.js';
import { ownPresence, type TermPresence } from './components.js';
import { type QueryEvidence, readText, type TextEvidence } from './evidence.js';

export interface Candidate {
  memory: Memory;
  text: TextEvidence;
  /** Which terms of the query its own content holds. */
  presence: TermPresence;
  /** Its own closeness in meaning, 0..1. */
  similarity: number;
  /** The vector channel found it. */
  isVectorHit: boolean;
}

export function toCandidate(memory: Memory, evidence: QueryEvidence, similarity: number | undefined): Candidate {
  const text = readText(memory.content, memory.tags);
  return {
    memory,
    text,
    presence: ownPresence(evidence, text),
    similarity: similarity ?? 0,
    isVectorHit: similarity !== undefined,
  };
}
