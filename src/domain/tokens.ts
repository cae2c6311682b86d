/**
 * About how many tokens a text is for a language model, without any model's tokenizer: by script, as the tokenizers of
 * current models come to on prose. Code, hashes and rare words take more.
 */

/** English and other Latin prose: four characters make a token. */
const LATIN_TOKENS = 0.25;
/** Cyrillic, Greek, Arabic, Hebrew, the scripts of India and other alphabets: two. */
const ALPHABET_TOKENS = 0.5;
/** Chinese, Japanese, Korean, Thai and their neighbours, and emoji: one or a little more. */
const DENSE_TOKENS = 1;

const LATIN_ONLY = /^[\p{ASCII}\u0080-\u024f]*$/u;
const DENSE =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\uff00-\uffef\p{Extended_Pictographic}]/u;
const OTHER_LETTER = /(?!\p{Script=Latin})[\p{L}\p{M}]/u;

export function estimateTokens(text: string): number {
  if (LATIN_ONLY.test(text)) return Math.ceil(text.length * LATIN_TOKENS);
  let tokens = 0;
  for (const character of text) tokens += tokensOf(character);
  return Math.ceil(tokens);
}

/** The beginning of a text that is at most so many tokens; never half a character. */
export function takeTokens(text: string, maxTokens: number): string {
  let tokens = 0;
  let end = 0;
  for (const character of text) {
    tokens += tokensOf(character);
    if (tokens > maxTokens) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function tokensOf(character: string): number {
  if (character <= '\u007f') return LATIN_TOKENS;
  if (DENSE.test(character)) return DENSE_TOKENS;
  return OTHER_LETTER.test(character) ? ALPHABET_TOKENS : LATIN_TOKENS;
}
