/** Splits texts into portions that a provider accepts. */
import { ProviderFailure } from './provider-failure.js';

export interface RequestLimits {
  /** Maximum number of texts in one request. */
  texts: number;
  /** Maximum number of characters of all texts in one request. */
  characters: number;
  /** Maximum number of characters of one text. The rest of a longer text is cut off. */
  textCharacters: number;
}

/**
 * Converts limits in tokens, which providers count, to characters. A token of a common language has about four
 * characters, so few texts within a token limit are cut. A text with shorter tokens may still have too many tokens.
 * `embedFitting` halves such a text when the model refuses it.
 */
export const CHARACTERS_PER_TOKEN = 4;
/**
 * Characters per token for all texts of a request together. The value is cautious, because a request over the limit
 * costs two more requests.
 */
export const CHARACTERS_PER_TOKEN_CAREFUL = 2;

/** If the model refuses a text shorter than this, the text is not cut, because its length cannot be the cause. */
const TEXT_MIN_CHARACTERS = 200;

/**
 * Returns the beginning of a text. If the cut splits a surrogate pair, the remaining half is removed. Other unpaired
 * halves are replaced.
 */
export function cutText(text: string, characters: number): string {
  const cut = text.slice(0, characters);
  return (text.length > characters ? cut.replace(/[\uD800-\uDBFF]$/, '') : cut).toWellFormed();
}

/** Splits texts, in order, into as few requests as the limits allow. */
export function batchesOf(texts: readonly string[], limits: RequestLimits): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last && last.length < limits.texts && characters + text.length <= limits.characters) {
      last.push(text);
      characters += text.length;
    } else {
      batches.push([text]);
      characters = text.length;
    }
  }
  return batches;
}

/**
 * Embeds texts, in order. When the model refuses a batch as too long, the batch is split in two. When the model refuses
 * a single text, the text is cut in half until it fits. A text that fits alone is never cut, because only single texts
 * are cut.
 *
 * @throws the error of `send` for any other failure, or when a text shorter than TEXT_MIN_CHARACTERS is refused
 */
export async function embedFitting(
  texts: readonly string[],
  send: (texts: readonly string[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  try {
    return await send(texts);
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.kind === 'too long')) throw error;
    const [text = ''] = texts;
    if (texts.length > 1) {
      const middle = Math.ceil(texts.length / 2);
      const first = await embedFitting(texts.slice(0, middle), send);
      return [...first, ...(await embedFitting(texts.slice(middle), send))];
    }
    if (text.length < TEXT_MIN_CHARACTERS) throw error;
    return embedFitting([cutText(text, Math.floor(text.length / 2))], send);
  }
}
