/**
 * A deterministic lexical embedder that needs no model: feature hashing of word stems, character n-grams and word pairs
 * (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009). The embedder finds shared words,
 * spellings and word parts, but not meaning. Its description tells the user about this limit.
 */

import { KIND, kindOf } from '../domain/text/characters.js';
import { isStopWord, languagesOf } from '../domain/text/language.js';

import { pairsIn, stem, words } from '../domain/text/words.js';
import { squaredLength } from '../domain/vectors.js';
import { ANALYZER_VERSION } from '../domain/versions.js';
import { inSteps } from '../event-loop.js';
import type { Embedder } from './embedder.js';

/** Similarity that unrelated texts have, because they share features by chance and through function words. */
const UNRELATED_SIMILARITY = 0.15;
const STOP_WORD_WEIGHT = 0.03;
/**
 * Euclidean length of the vector made from the n-grams of one word. This length is the same for all words, so that a
 * long word does not outweigh the others.
 */
const GRAM_WEIGHT = 0.5;
const GRAM_LENGTH = 4;
const PAIR_WEIGHT = 0.3;
export function createHashEmbedder(dimensions: number): Embedder {
  return {
    model: `hash-v${ANALYZER_VERSION}-${dimensions}`,
    description: 'hash (lexical: finds shared words and spellings, not meaning)',
    unrelatedSimilarity: UNRELATED_SIMILARITY,
    understandsMeaning: false,
    returned: { dimensions, isUsable: true },
    isImmediate: true,
    embed: async texts => {
      const vectors: Float32Array[] = [];
      for await (const text of inSteps(texts)) vectors.push(embedText(text, dimensions));
      return vectors;
    },
    close: async () => {},
  };
}

function embedText(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const add = (hash: number, weight: number) => {
    const index = (hash >>> 1) % dimensions;
    vector[index] = (vector[index] ?? 0) + (hash & 1 ? weight : -weight);
  };
  const found = occurrencesIn(text);
  addWords(new Set(found), add);
  addPairs(found, add);
  normalize(vector, () => add(hashOf('text:', text), 1));
  return vector;
}

/** A word that occurs in a text. */
interface Occurring {
  word: string;
  stem: string;
  isStopWord: boolean;
  frequency: number;
}

/** The words in order. All occurrences of a word are the same object. */
function occurrencesIn(text: string): Occurring[] {
  const byWord = new Map<string, Occurring>();
  const all = words(text);
  const languages = languagesOf(text, all);
  return all.map(word => {
    let occurring = byWord.get(word);
    if (!occurring) {
      occurring = { word, stem: stem(word), isStopWord: isStopWord(word, languages), frequency: 0 };
      byWord.set(word, occurring);
    }
    occurring.frequency += 1;
    return occurring;
  });
}

type Add = (hash: number, weight: number) => void;

function addWords(distinct: ReadonlySet<Occurring>, add: Add): void {
  for (const { word, stem, isStopWord, frequency } of distinct) {
    // The weight grows more slowly than the number of repetitions. Longer words count more, because they tend to be
    // rarer and more specific.
    const weight = (1 + Math.log(frequency)) * Math.min(1.5, 0.4 + word.length / 8);
    add(hashOf('word:', stem), isStopWord ? STOP_WORD_WEIGHT : weight);
    if (isStopWord) continue;
    if (kindOf(word.charCodeAt(0)) === KIND.hangul) addParts(pairsIn(word), add);
    else if (word.length >= GRAM_LENGTH) addGrams(word, add);
  }
}

function addParts(parts: readonly string[], add: Add): void {
  for (const part of parts) add(hashOf('gram:', part), GRAM_WEIGHT / Math.sqrt(parts.length));
}

function addGrams(word: string, add: Add): void {
  const padded = `^${word}$`;
  const count = padded.length - GRAM_LENGTH + 1;
  const weight = GRAM_WEIGHT / Math.sqrt(count);
  for (let start = 0; start < count; start++) {
    add(finish(mixIn(GRAM_STATE, padded, start, start + GRAM_LENGTH)), weight);
  }
}

function addPairs(found: readonly Occurring[], add: Add): void {
  let previous: string | undefined;
  for (const { stem, isStopWord } of found) {
    if (isStopWord) continue;
    if (previous !== undefined) add(finish(mixIn(mixIn(mixIn(PAIR_STATE, previous), ' '), stem)), PAIR_WEIGHT);
    previous = stem;
  }
}

/** Scales to unit length. A text without words first gets a special feature, because no vector may be zero. */
function normalize(vector: Float32Array, addFallback: () => void): void {
  // Do not use `Math.hypot`, because on all values it would take longer than the rest of the embedder.
  let squares = squaredLength(vector);
  if (squares === 0) {
    addFallback();
    squares = 1;
  }
  const length = Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) / length;
}

/** Initial value of the hash: FNV-1a, with a final mix that makes the low bits as random as the high bits. */
const HASH_SEED = 0x811c9dc5;
const GRAM_STATE = mixIn(HASH_SEED, 'gram:');
const PAIR_STATE = mixIn(HASH_SEED, 'pair:');

function hashOf(sort: string, text: string): number {
  return finish(mixIn(mixIn(HASH_SEED, sort), text));
}

/** Adds characters to a hash. A text may be added in parts. */
function mixIn(state: number, text: string, start = 0, end = text.length): number {
  let hash = state;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

function finish(state: number): number {
  let hash = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}
