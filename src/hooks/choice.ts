/** Chooses which of the recalled memories a hook gives to the assistant. */
import type { InjectedMemory, TriedMemory, Verdict } from '../domain/hooks.js';
import type { Memory } from '../domain/memory.js';
import type { RecalledMemory } from '../domain/recall.js';
import { estimateTokens, fenced } from '../domain/shown-text.js';
import { beginningOf } from '../domain/text/characters.js';

/** Limits of what an assistant is given at once. */
export interface Budget {
  memories: number;
  /**
   * Limit of the text in estimated tokens. Tokenizers count up to a fifth more on names and code, so the text of a prompt
   * stays below 600 tokens, and that of a start below 1,200.
   */
  tokens: number;
}

export const PROMPT_BUDGET: Budget = { memories: 5, tokens: 480 };
export const START_BUDGET: Budget = { memories: 10, tokens: 960 };
/** Maximum number of characters shown of a memory. The assistant can recall the rest of a longer memory. */
const CONTENT_MAX_LENGTH = 400;
/**
 * Weights and minimum of the evidence. The values were fitted by logistic regression on
 * tests/hooks/corpus/development.json, with hash embeddings and with a model, so that four of five injected memories
 * help. `node tests/bench/hooks.mjs` measures the effect of a change.
 */
const TAG_WEIGHT = 0.7;
const TERMS_WEIGHT = 0.4;
const TERMS_ENOUGH = 4;
const EVIDENCE_MIN = 0.9;
/** Minimum similarity in meaning of a memory with fewer than two matching words. */
const SIMILARITY_ALONE = 0.4;
/** A memory is chosen only if its evidence is at least this share of the evidence of the best memory. */
const SHARE_OF_BEST = 0.8;

export interface ChosenMemory extends InjectedMemory {
  memory: Memory;
  /** A newer memory that may replace this one. */
  newer?: Memory;
}

/** The memories that are currently valid and have enough evidence of their own, best first. */
export function chosenIn(judged: readonly TriedMemory[]): ChosenMemory[] {
  return judged
    .filter(({ verdict }) => verdict === 'given')
    .map(({ memory, evidence, maybeOutdatedBy: newer }) => ({
      memory,
      id: memory.id,
      reason: 'answers_prompt',
      evidence,
      ...(newer && { newer }),
    }));
}

/** Every result with the verdict on it, the most evidence first. The budget is not considered yet. */
export function judge(results: readonly RecalledMemory[]): TriedMemory[] {
  const judged = judgeAlone(results);
  const given = new Set(judged.filter(({ verdict }) => verdict === 'given').map(({ memory }) => memory.id));
  // A guess hides a memory only behind the newer one. Otherwise the assistant gets both and decides.
  return judged.map(each => {
    const isHidden = each.verdict === 'given' && each.maybeOutdatedBy && given.has(each.maybeOutdatedBy.id);
    return isHidden ? { ...each, verdict: 'maybe_outdated' } : each;
  });
}

function judgeAlone(results: readonly RecalledMemory[]): TriedMemory[] {
  const own = results.map(result => ({ result, evidence: evidenceOf(result), doubt: doubtAbout(result) }));
  const best = Math.max(0, ...own.filter(({ doubt }) => !doubt).map(({ evidence }) => evidence));
  const verdictOn = (evidence: number): Verdict => {
    if (evidence < EVIDENCE_MIN) return 'too_little_evidence';
    return evidence < best * SHARE_OF_BEST ? 'far_below_best' : 'given';
  };
  return own
    .map(({ result: { memory, maybeOutdatedBy }, evidence, doubt }) => ({
      memory,
      evidence,
      verdict: doubt ?? verdictOn(evidence),
      ...(maybeOutdatedBy && { maybeOutdatedBy }),
    }))
    .sort((a, b) => b.evidence - a.evidence);
}

function doubtAbout({ supersededBy, invalidity }: RecalledMemory): Verdict | undefined {
  if (supersededBy) return 'superseded';
  return invalidity ? 'not_valid' : undefined;
}

/** Evidence of a memory, 0..3.1. A memory without evidence of its own has 0. */
function evidenceOf({ hasOwnEvidence, similarity, coverage, components, matchedTerms }: RecalledMemory): number {
  if (!hasOwnEvidence || (matchedTerms < 2 && similarity < SIMILARITY_ALONE)) return 0;
  const terms = Math.min(matchedTerms, TERMS_ENOUGH) / TERMS_ENOUGH;
  return similarity + coverage + TAG_WEIGHT * components.tag + TERMS_WEIGHT * terms;
}

export interface FittedMemories {
  memories: ChosenMemory[];
  tokens: number;
}

/** Takes memories in their order up to the limits. */
export function fitInto(budget: Budget, chosen: readonly ChosenMemory[]): FittedMemories {
  const memories: ChosenMemory[] = [];
  let tokens = 0;
  for (const each of chosen) {
    if (memories.length === budget.memories) break;
    const longer = estimateTokens(textOf([...memories, each]));
    if (longer > budget.tokens) continue;
    memories.push(each);
    tokens = longer;
  }
  return { memories, tokens };
}

export function textOf(memories: readonly ChosenMemory[]): string {
  return fenced(memories.map(lineOf));
}

function lineOf({ memory, newer }: ChosenMemory): string {
  const hint = newer ? ` [perhaps replaced: ${shown(newer)}]` : '';
  return `- ${shown(memory)}${hint}`;
}

function shown({ type, timestamp, content: whole }: Memory): string {
  const content = whole.trim();
  const beginning = beginningOf(content, CONTENT_MAX_LENGTH);
  return `(${type}, ${timestamp.slice(0, 10)}) ${beginning}${beginning === content ? '' : '…'}`;
}
