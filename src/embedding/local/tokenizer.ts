/**
 * Converts texts to the tokens of a model, and cuts texts that are too long. Replaces parts of the package that are inexact
 * or large.
 */
import type { Tokenizer } from '@huggingface/tokenizers';

/** Content of tokenizer.json. */
interface TokenizerDefinition {
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

/** Only clusters with fewer bytes are looked up as a whole, as in the tokenizers of Hugging Face. */
const CLUSTER_BYTES = 6;
/**
 * Splits before characters that never continue a cluster. The segmenter takes a time per cluster that grows with the
 * length of the text, so it gets short parts.
 */
const CLUSTER_STARTS = /(?=[ -~]|(?![\p{Script=Hangul}\u0e33\u0eb3])[\p{Lu}\p{Ll}\p{Lt}\p{Lo}])/u;
const LABEL_BITS = 0x8000_00ff;
const VALUE_BITS = 0x7fff_ffff;

const offsetOf = (unit: number) => (unit >>> 10) << ((unit & 0x200) >> 6);
const hasValue = (unit: number) => ((unit >>> 8) & 1) === 1;

/**
 * @param charsmap the table by which SentencePiece normalizes texts, in base64, as it is in tokenizer.json. It has two
 * parts: a double-array trie of UTF-8 bytes, and the replacements, each of which ends with a zero byte.
 * @returns a function that normalizes a text exactly like the tokenizers of Hugging Face, in which a model was trained
 */
function createCharsmap(charsmap: string): (text: string) => string {
  const table = Buffer.from(charsmap, 'base64');
  const trieBytes = table.readUInt32LE(0);
  const trie = Uint32Array.from({ length: trieBytes / 4 }, (_, index) => table.readUInt32LE(4 + index * 4));
  const replacements = table.subarray(4 + trieBytes);
  const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

  /** The replacement of the shortest beginning of these bytes that has one. It replaces all of the bytes. */
  const replacementOf = (bytes: Buffer): string | undefined => {
    let node = offsetOf(trie[0] ?? 0);
    for (const byte of bytes) {
      node ^= byte;
      const unit = trie[node] ?? 0;
      if (byte === 0 || (unit & LABEL_BITS) >>> 0 !== byte) return undefined;
      node ^= offsetOf(unit);
      if (!hasValue(unit)) continue;
      const start = (trie[node] ?? 0) & VALUE_BITS;
      return replacements.toString('utf8', start, replacements.indexOf(0, start));
    }
    return undefined;
  };

  const normalizeCluster = (cluster: string): string => {
    const bytes = Buffer.from(cluster);
    const whole = bytes.length < CLUSTER_BYTES ? replacementOf(bytes) : undefined;
    if (whole !== undefined) return whole;
    return Array.from(cluster, character => replacementOf(Buffer.from(character)) ?? character).join('');
  };

  const normalizePart = (part: string): string => {
    if (part.length === 1) return normalizeCluster(part);
    return Array.from(clusters.segment(part), ({ segment }) => normalizeCluster(segment)).join('');
  };

  return text => text.split(CLUSTER_STARTS).map(normalizePart).join('');
}
