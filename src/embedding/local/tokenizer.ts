/** Creates the tokenizer of a model, and replaces parts of the package that are inexact or large. */
import type { Tokenizer } from '@huggingface/tokenizers';
import { createCharsmap } from './charsmap.js';

/** Content of tokenizer.json. */
export interface TokenizerDefinition {
  normalizer?: { type?: string } | null;
  pre_tokenizer?: { type?: string; pretokenizers?: readonly { type?: string }[] } | null;
  model?: { type?: string; unk_id?: number | null; vocab?: unknown };
}

/** A part of a tokenizer. The package declares no types of its parts. */
interface Normalizer {
  normalize(text: string): string;
  /** The parts of a sequence. */
  normalizers?: readonly (Normalizer | null)[];
  /** Only normalizers of SentencePiece models have a charsmap. */
  charsmap?: string | null;
}

interface UnigramModel {
  vocab: string[];
  scores: number[];
  tokens_to_ids: Map<string, number>;
  unk_token_id: number;
  unk_score: number;
  trie: { common_prefix_search(characters: readonly string[], start?: number): Iterable<string> };
}

/** A piece of a Unigram model, and the logarithm of its probability. */
type Piece = readonly [string, number];

/** The score of an unknown character is this much lower than the lowest score, as in SentencePiece. */
const UNKNOWN_PENALTY = 10;

/** @param config content of tokenizer_config.json */
export function createTokenizer(Package: typeof Tokenizer, definition: TokenizerDefinition, config: object): Tokenizer {
  const tokenizer =
    definition.model?.type === 'Unigram' ? createUnigram(Package, definition, config) : new Package(definition, config);
  const { normalizer } = tokenizer as { normalizer: Normalizer | null };
  if (normalizer) applyCharsmap(normalizer);
  return tokenizer;
}

/** The package ignores the charsmap and normalizes every text by NFKC, which changes other characters in some texts. */
function applyCharsmap(normalizer: Normalizer): void {
  for (const part of normalizer.normalizers ?? []) if (part) applyCharsmap(part);
  if (normalizer.charsmap) normalizer.normalize = createCharsmap(normalizer.charsmap);
}

/**
 * Creates a tokenizer without the package's trie of all pieces, which would take 180 MB in each encoder for the 250,000
 * pieces of a multilingual model. The package gets only the pieces up to the unknown one; the others are added here.
 */
function createUnigram(Package: typeof Tokenizer, definition: TokenizerDefinition, config: object): Tokenizer {
  const pieces = definition.model?.vocab as readonly Piece[];
  const first = pieces.slice(0, (definition.model?.unk_id ?? 0) + 1);
  const tokenizer = new Package({ ...definition, model: { ...definition.model, vocab: first } }, config);
  addPieces((tokenizer as { model: UnigramModel }).model, pieces);
  return tokenizer;
}

function addPieces(model: UnigramModel, pieces: readonly Piece[]): void {
  const { vocab, scores, tokens_to_ids: ids } = model;
  let longest = 0;
  let lowestScore = Number.POSITIVE_INFINITY;
  for (const [id, [piece, score]] of pieces.entries()) {
    vocab[id] = piece;
    scores[id] = score;
    ids.set(piece, id);
    longest = Math.max(longest, piece.length);
    lowestScore = Math.min(lowestScore, score);
  }
  model.unk_score = lowestScore - UNKNOWN_PENALTY;
  scores[model.unk_token_id] = model.unk_score;
  model.trie.common_prefix_search = function* (characters, start = 0) {
    let piece = '';
    for (let index = start; index < characters.length && piece.length < longest; index++) {
      piece += characters[index];
      if (ids.has(piece)) yield piece;
    }
  };
}
