/** Texts into the tokens of a model, cut where they are too long. */
import type { Tokenizer } from '@huggingface/tokenizers';

/**
 * @param maxTokens with the special ones
 * @returns the ids of a text's tokens; of a text that is too long the beginning, between the special tokens it would have
 */
export function createTokenCutter(tokenizer: Tokenizer, maxTokens: number): (text: string) => number[] {
  // What the tokenizer puts behind every text, such as [SEP], shows by any text.
  const plain = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const { ids } = tokenizer.encode('a');
  const before = Math.max(0, positionIn(ids, plain));
  const after = ids.length - before - plain.length;
  return text => {
    const tokens = tokenizer.encode(text).ids;
    if (tokens.length <= maxTokens) return tokens;
    return [...tokens.slice(0, maxTokens - after), ...tokens.slice(tokens.length - after)];
  };
}

function positionIn(list: readonly number[], part: readonly number[]): number {
  return list.findIndex((_, start) => part.every((each, index) => list[start + index] === each));
}
