/** Texts into the tokens of a model, cut where they are too long. */
import type { Tokenizer } from '@huggingface/tokenizers';

export interface TokenLimits {
  /** With the special ones. */
  maxTokens: number;
  /** See `splitsAtSpaces`. */
  isSplitAtSpaces: boolean;
}

export interface TokenizerDefinition {
  normalizer?: { type?: string } | null;
  pre_tokenizer?: { type?: string } | null;
}

/** Few texts have more, so that a first look is enough nearly always. */
const CHARACTERS_PER_TOKEN = 8;

/** @returns the ids of a text's tokens; of a text that is too long the beginning, between the special tokens it would have */
export function createTokenCutter(tokenizer: Tokenizer, limits: TokenLimits): (text: string) => number[] {
  const { maxTokens, isSplitAtSpaces } = limits;
  // What the tokenizer puts behind every text, such as [SEP], shows by any text.
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
 * Whether no token reaches over a space, so that what follows it changes nothing before it: true of BERT and its kin.
 *
 * @param definition content of tokenizer.json
 */
export function splitsAtSpaces({ normalizer, pre_tokenizer: splitter }: TokenizerDefinition): boolean {
  return normalizer?.type === 'BertNormalizer' && splitter?.type === 'BertPreTokenizer';
}

/** The tokens of the beginning of a text, more than the model takes. The rest of a long text would take longer than the model. */
function encodeBeginning(tokenizer: Tokenizer, text: string, maxTokens: number): number[] {
  for (let length = maxTokens * CHARACTERS_PER_TOKEN; ; length *= 2) {
    const beginning = beginningOf(text, length);
    const { ids } = tokenizer.encode(beginning);
    if (ids.length > maxTokens || beginning.length === text.length) return ids;
  }
}

/** At least so many characters, up to a space. */
function beginningOf(text: string, length: number): string {
  const space = text.slice(length).search(/[ \t\r\n]/);
  return space < 0 ? text : text.slice(0, length + space);
}

function positionIn(list: readonly number[], part: readonly number[]): number {
  return list.findIndex((_, start) => part.every((each, index) => list[start + index] === each));
}
