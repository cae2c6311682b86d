/**
 * Estimates the number of tokens of a text for a language model, without a tokenizer, from the scripts of its
 * characters. The rates are those of current tokenizers on prose. Code, hashes and rare words take more tokens.
 */

/** English and other Latin prose has four characters per token. */
const LATIN_TOKENS = 0.25;
/** Cyrillic, Greek, Arabic, Hebrew, Indic scripts and other alphabets have two characters per token. */
const ALPHABET_TOKENS = 0.5;
/** Chinese, Japanese, Korean, Thai, related scripts and emoji have about one token per character. */
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

/** The beginning of a text, with at most `maxTokens` tokens. Never splits a character. */
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
