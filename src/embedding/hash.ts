/**
 * A deterministic lexical embedder that needs no model: feature hashing of word stems, character n-grams and word pairs
 * (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009). It finds shared words, spellings and
 * word parts, not meaning, and says so.
 */
import { isStopWord, stem, words } from '../domain/text.js';
import type { Embedder } from './embedder.js';

/** Chance hits of features and small words. */
const UNRELATED_SIMILARITY = 0.15;
const STOP_WORD_WEIGHT = 0.03;
/** Shared by all n-grams of one word, so that a long word does not drown the others. */
const GRAM_WEIGHT = 0.5;
const GRAM_LENGTH = 4;
const PAIR_WEIGHT = 0.3;

export function createHashEmbedder(dimensions: number): Embedder {
  return {
    model: `hash-v1-${dimensions}`,
    description: 'hash (lexical: finds shared words and spellings, not meaning)',
    unrelatedSimilarity: UNRELATED_SIMILARITY,
    dimensions,
    embed: async texts => texts.map(text => embedText(text, dimensions)),
    close: async () => {},
  };
}

function embedText(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const add = (feature: string, weight: number) => {
    const hash = hash32(feature);
    const index = (hash >>> 1) % dimensions;
    vector[index] = (vector[index] ?? 0) + (hash & 1 ? weight : -weight);
  };
  const found = words(text);
  addWords(found, add);
  addPairs(found, add);
  normalize(vector, () => add(`text:${text}`, 1));
  return vector;
}

type Add = (feature: string, weight: number) => void;

function addWords(found: readonly string[], add: Add): void {
  const frequencies = new Map<string, number>();
  for (const word of found) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  for (const [word, frequency] of frequencies) {
    // Sub-linear in the number of repeats; longer words tend to be rarer and to say more.
    const weight = (1 + Math.log(frequency)) * Math.min(1.5, 0.4 + word.length / 8);
    add(`word:${stem(word)}`, isStopWord(word) ? STOP_WORD_WEIGHT : weight);
    if (!isStopWord(word) && word.length >= GRAM_LENGTH) addGrams(word, add);
  }
}

function addGrams(word: string, add: Add): void {
  const padded = `^${word}$`;
  const count = padded.length - GRAM_LENGTH + 1;
  for (let start = 0; start < count; start++) {
    add(`gram:${padded.slice(start, start + GRAM_LENGTH)}`, GRAM_WEIGHT / Math.sqrt(count));
  }
}

function addPairs(found: readonly string[], add: Add): void {
  const meaningful = found.filter(word => !isStopWord(word)).map(stem);
  for (let index = 1; index < meaningful.length; index++) {
    add(`pair:${meaningful[index - 1]} ${meaningful[index]}`, PAIR_WEIGHT);
  }
}

/** Scales to unit length; a text without a word first gets a feature of its own, since no vector may be zero. */
function normalize(vector: Float32Array, addFallback: () => void): void {
  let length = Math.hypot(...vector);
  if (length === 0) {
    addFallback();
    length = 1;
  }
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) / length;
}

/** FNV-1a with a final mix, so that the low bits are as good as the high ones. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}
