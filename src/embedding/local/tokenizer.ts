/** Creates the tokenizer of a model, and replaces parts of the package that are inexact or large. */
import type { Tokenizer } from '@huggingface/tokenizers';
import { createCharsmap } from './charsmap.js';

/** A part of a tokenizer. The package declares no types of its parts. */
interface Normalizer {
  normalize(text: string): string;
  /** The parts of a sequence. */
  normalizers?: readonly (Normalizer | null)[];
  /** Only normalizers of SentencePiece models have a charsmap. */
  charsmap?: string | null;
}

interface Model {
  vocab: readonly string[];
  tokens_to_ids: ReadonlyMap<string, number>;
  /** Only Unigram models have a trie. */
  trie?: {
    root: { children: Map<string, unknown> };
    common_prefix_search(characters: readonly string[], start?: number): Iterable<string>;
  };
}

/**
 * @param definition content of tokenizer.json
 * @param config content of tokenizer_config.json
 */
export function createTokenizer(Package: typeof Tokenizer, definition: object, config: object): Tokenizer {
  const tokenizer = new Package(definition, config);
  const { normalizer, model } = tokenizer as { normalizer: Normalizer | null; model: Model };
  if (normalizer) applyCharsmap(normalizer);
  replaceTrie(model);
  return tokenizer;
}

/** The package ignores the charsmap and normalizes every text by NFKC, which changes other characters in some texts. */
function applyCharsmap(normalizer: Normalizer): void {
  for (const part of normalizer.normalizers ?? []) if (part) applyCharsmap(part);
  if (normalizer.charsmap) normalizer.normalize = createCharsmap(normalizer.charsmap);
}

/**
 * Finds the pieces at a position of a text in the map of all pieces instead of in a trie. With the 250,000 pieces of a
 * multilingual model, the trie would take 180 MB in each encoder.
 */
function replaceTrie({ trie, vocab, tokens_to_ids: ids }: Model): void {
  if (!trie) return;
  const longest = vocab.reduce((length, piece) => Math.max(length, piece.length), 0);
  trie.root.children.clear();
  trie.common_prefix_search = function* (characters, start = 0) {
    let piece = '';
    for (let index = start; index < characters.length && piece.length < longest; index++) {
      piece += characters[index];
      if (ids.has(piece)) yield piece;
    }
  };
}
