/** Texts in portions that a provider takes. */
import { ProviderFailure } from './provider-failure.js';

export interface RequestLimits {
  /** Texts in one request. */
  texts: number;
  /** Characters of all texts in one request. */
  characters: number;
  /** Characters of one text. What is over is cut off. */
  textCharacters: number;
}

/**
 * Providers count tokens. Common languages have about four characters to one, and no text within a token limit has many
 * more than that; a dense text that is still too long is halved by `embedFitting`.
 */
export const CHARACTERS_PER_TOKEN = 4;
/** For all the texts of a request together: careful, since a request over the limit costs another two. */
export const CHARACTERS_PER_TOKEN_CAREFUL = 2;

/** No shorter text is cut: whatever refuses it does not do so for its length. */
const TEXT_MIN_CHARACTERS = 200;

/** The beginning of a text, without half a character at its end or anywhere in it. */
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
 * Embeds texts, in order. Where the model finds them too long, they are sent in two halves, and a single text is cut in
 * half, until they fit: each text loses only what it must, whichever texts it came with.
 *
 * @throws what `send` throws for any other reason
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
