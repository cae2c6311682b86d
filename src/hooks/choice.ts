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
/** Evidence from which on an answer counts as of medium confidence. */
const EVIDENCE_MIN = 0.55;
/** Share of the best evidence that a further memory needs. */
const SHARE_OF_BEST = 0.8;

export interface ChosenMemory extends InjectedMemory {
  memory: Memory;
}

/** Those that answer by themselves, that hold now and that the session has not been given, best first. */
export function relevantOf(results: readonly RecalledMemory[]): ChosenMemory[] {
  const own = results.filter(
    ({ hasOwnEvidence, evidence, supersededBy, invalidity, maybeOutdatedBy }) =>
      hasOwnEvidence && evidence >= EVIDENCE_MIN && !supersededBy && !invalidity && maybeOutdatedBy === undefined,
  );
  const best = Math.max(0, ...own.map(({ evidence }) => evidence));
  return own
    .filter(({ evidence }) => evidence >= best * SHARE_OF_BEST)
    .map(({ memory, evidence }) => ({ memory, id: memory.id, reason: 'answers_prompt', evidence }));
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
