/** Which of the memories that a recall has found are given to an assistant that did not ask. Pure. */
import type { InjectedMemory } from '../domain/hooks.js';
import { fenced } from '../domain/injected-text.js';
import type { Memory } from '../domain/memory.js';
import type { RecalledMemory } from '../domain/recall-results.js';
import { beginningOf } from '../domain/text.js';
import { estimateTokens } from '../domain/tokens.js';

/** Of the whole text, by our estimate. Tokenizers count up to a fifth more on names and code, so that 600 are not passed. */
const TOKENS_MAX = 480;
const MEMORIES_MAX = 5;
/** In characters; recall shows the rest. */
const CONTENT_MAX_LENGTH = 400;
/**
 * How much each kind of evidence says, and from how much on a memory is given: `node tests/bench/hooks.mjs` shows what a change
 * does. Fitted by logistic regression on tests/hooks/corpus/development.json, with hash and with a model, so that four of
 * five memories that are given help.
 */
const TAG_WEIGHT = 0.7;
const TERMS_WEIGHT = 0.4;
const TERMS_ENOUGH = 4;
const EVIDENCE_MIN = 0.9;
/** One word in common is chance, unless the meaning is as close as this. */
const CLOSENESS_ALONE = 0.4;
/** Share of the best evidence that a further memory needs. */
const SHARE_OF_BEST = 0.8;

export interface ChosenMemory extends InjectedMemory {
  memory: Memory;
}

/** Those that answer by themselves, that hold now and that the session has not been given, best first. */
export function relevantOf(results: readonly RecalledMemory[]): ChosenMemory[] {
  const own = results.filter(holdsNow).map(result => ({ result, evidence: evidenceOf(result) }));
  const best = Math.max(EVIDENCE_MIN, ...own.map(({ evidence }) => evidence * SHARE_OF_BEST));
  return own
    .filter(({ evidence }) => evidence >= best)
    .sort((a, b) => b.evidence - a.evidence)
    .map(({ result: { memory }, evidence }) => ({ memory, id: memory.id, reason: 'answers_prompt', evidence }));
}

function holdsNow({ supersededBy, invalidity, maybeOutdatedBy }: RecalledMemory): boolean {
  return !supersededBy && !invalidity && maybeOutdatedBy === undefined;
}

/** 0..3.1, and 0 where nothing of the memory itself speaks for it. */
function evidenceOf({ hasOwnEvidence, closeness, coverage, components, matchedTerms }: RecalledMemory): number {
  if (!hasOwnEvidence || (matchedTerms < 2 && closeness < CLOSENESS_ALONE)) return 0;
  const terms = Math.min(matchedTerms, TERMS_ENOUGH) / TERMS_ENOUGH;
  return closeness + coverage + TAG_WEIGHT * components.tag + TERMS_WEIGHT * terms;
}

/** As many as the bounds allow, in their order, and the text that shows them; undefined where there is none. */
export function shown(
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
