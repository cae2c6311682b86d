/** Converts texts to the tokens of a model, and cuts texts that are too long. */
import type { Tokenizer } from '@huggingface/tokenizers';
import type { TokenizerDefinition } from './tokenizer.js';

export interface TokenLimits {
  /** The maximum length in tokens, including the special tokens. */
  maxTokens: number;
  /** See `splitsAtSpaces`. */
  isSplitAtSpaces: boolean;
}

/**
 * Characters per token for the first attempt. Few texts have longer tokens on average, so the first attempt nearly
 * always has enough characters.
 */
const CHARACTERS_PER_TOKEN = 8;

/** @returns the ids of a text's tokens; a text that is too long is cut, but keeps the special tokens at its ends */
export function createTokenCutter(tokenizer: Tokenizer, limits: TokenLimits): (text: string) => number[] {
  const { maxTokens, isSplitAtSpaces } = limits;
  // Tokenize a sample text to find the tokens, such as [SEP], that the tokenizer adds before and after every text.
  const plain = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const { ids } = tokenizer.encode('a');
  const before = Math.max(0, positionIn(ids, plain));
  const after = ids.length - before - plain.length;
  return text => {
    const tokens = isSplitAtSpaces ? encodeBeginning(tokenizer, text, maxTokens) : tokenizer.encode(text).ids;
    if (tokens.length <= maxTokens) return tokens;
    return [...tokens.slice(0, maxTokens - after), ...tokens.slice(tokens.length - after)];
  };
}

/**
 * Whether no token spans a space, so that later text does not change earlier tokens. This is true for BERT and related
 * models, and for models with the tokenizer of XLM-RoBERTa.
 *
 * @param definition content of tokenizer.json
 */
export function splitsAtSpaces({ normalizer, pre_tokenizer: splitter }: TokenizerDefinition): boolean {
  const isBert = normalizer?.type === 'BertNormalizer' && splitter?.type === 'BertPreTokenizer';
  return isBert || (normalizer?.type === 'Precompiled' && splitter?.pretokenizers?.[0]?.type === 'WhitespaceSplit');
}

/**
 * Returns the tokens of the beginning of a text: all tokens of a short text, otherwise more than the model accepts.
 * Only the beginning is tokenized, because tokenizing a whole long text would take longer than running the model.
 */
function encodeBeginning(tokenizer: Tokenizer, text: string, maxTokens: number): number[] {
  for (let length = maxTokens * CHARACTERS_PER_TOKEN; ; length *= 2) {
    const beginning = beginningOf(text, length);
    const { ids } = tokenizer.encode(beginning);
    if (ids.length > maxTokens || beginning.length === text.length) return ids;
  }
}

/** Returns the text up to the first space after `length` characters, or the whole text if no space follows. */
function beginningOf(text: string, length: number): string {
  const space = text.slice(length).search(/[ \t\r\n]/);
  return space < 0 ? text : text.slice(0, length + space);
}

function positionIn(list: readonly number[], part: readonly number[]): number {
  return list.findIndex((_, start) => part.every((each, index) => list[start + index] === each));
}
