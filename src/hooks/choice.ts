/** Chooses which of the recalled memories a hook gives to the assistant. */
import type { InjectedMemory, TriedMemory, Verdict } from '../domain/hooks.js';
import { fenced } from '../domain/injected-text.js';
import type { Memory } from '../domain/memory.js';
import type { RecalledMemory } from '../domain/recall-results.js';
import { beginningOf } from '../domain/text/length.js';
import { estimateTokens } from '../domain/tokens.js';

/**
 * Limit of the whole text in estimated tokens. Tokenizers count up to a fifth more on names and code, so the text stays
 * below 600 tokens.
 */
const TOKENS_MAX = 480;
const MEMORIES_MAX = 5;
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
/** Minimum closeness in meaning of a memory with fewer than two matching words. */
const CLOSENESS_ALONE = 0.4;
/** A memory is chosen only if its evidence is at least this share of the evidence of the best memory. */
const SHARE_OF_BEST = 0.8;

export interface ChosenMemory extends InjectedMemory {
  memory: Memory;
}

/** The memories that are currently valid and have enough evidence of their own, best first. */
export function chosenIn(judged: readonly TriedMemory[]): ChosenMemory[] {
  return judged
    .filter(({ verdict }) => verdict === 'given')
    .map(({ memory, evidence }) => ({ memory, id: memory.id, reason: 'answers_prompt', evidence }));
}

/** Every result with the verdict on it, the most evidence first. Room is not considered yet. */
export function judge(results: readonly RecalledMemory[]): TriedMemory[] {
  const own = results.map(result => ({ result, evidence: evidenceOf(result), doubt: doubtAbout(result) }));
  const best = Math.max(0, ...own.filter(({ doubt }) => !doubt).map(({ evidence }) => evidence));
  const verdictOn = (evidence: number): Verdict => {
    if (evidence < EVIDENCE_MIN) return 'too_little_evidence';
    return evidence < best * SHARE_OF_BEST ? 'far_below_best' : 'given';
  };
  return own
    .map(({ result: { memory }, evidence, doubt }) => ({ memory, evidence, verdict: doubt ?? verdictOn(evidence) }))
    .sort((a, b) => b.evidence - a.evidence);
}

function doubtAbout({ supersededBy, invalidity, maybeOutdatedBy }: RecalledMemory): Verdict | undefined {
  if (supersededBy) return 'superseded';
  if (invalidity) return 'not_valid';
  return maybeOutdatedBy ? 'maybe_outdated' : undefined;
}

/** Evidence of a memory, 0..3.1. A memory without evidence of its own has 0. */
function evidenceOf({ hasOwnEvidence, closeness, coverage, components, matchedTerms }: RecalledMemory): number {
  if (!hasOwnEvidence || (matchedTerms < 2 && closeness < CLOSENESS_ALONE)) return 0;
  const terms = Math.min(matchedTerms, TERMS_ENOUGH) / TERMS_ENOUGH;
  return closeness + coverage + TAG_WEIGHT * components.tag + TERMS_WEIGHT * terms;
}

/** Takes memories in their order up to the limits. @returns undefined if no memory fits */
export function fitInjection(
  chosen: readonly ChosenMemory[],
): { memories: ChosenMemory[]; text: string; tokens: number } | undefined {
  const memories: ChosenMemory[] = [];
  let text = '';
  for (const each of chosen.slice(0, MEMORIES_MAX)) {
    const longer = fenced([...memories, each].map(lineOf));
    if (estimateTokens(longer) > TOKENS_MAX) continue;
    memories.push(each);
    text = longer;
  }
  return memories.length === 0 ? undefined : { memories, text, tokens: estimateTokens(text) };
}

function lineOf({ memory }: ChosenMemory): string {
  const content = memory.content.trim();
  const beginning = beginningOf(content, CONTENT_MAX_LENGTH);
  return `- (${memory.type}, ${memory.timestamp.slice(0, 10)}) ${beginning}${beginning === content ? '' : '…'}`;
}
