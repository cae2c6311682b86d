/** Hashes the words of texts and their stems. */
import { isAscii } from '../../domain/text/characters.js';
import {
  hasUnits,
  lowerHalf,
  partHash,
  stem,
  textHash,
  upperHalf,
  WORD_MAX_LENGTH,
  words,
} from '../../domain/text/words.js';

/** Number of values that `hashWords` returns for each word. */
export const VALUES_PER_WORD = 3;

/**
 * Hashes the words of a text, as `words` in `domain/text.ts` defines them.
 *
 * @returns three parts of equal length, each in reading order: the lower halves of the hashes of the words, then the
 * lower and the upper halves of the hashes of their stems
 */
export function hashWords(text: string): Uint32Array {
  const found: number[] = [];
  if (isPlain(text)) addPlain(found, text);
  else addAll(found, words(text));
  return inParts(found);
}

/** Hashes words, in the form that `hashWords` returns. */
export function hashAll(all: readonly string[]): Uint32Array {
  const found: number[] = [];
  addAll(found, all);
  return inParts(found);
}

/** Whether `hashWords` need not make strings of the words of a text. */
export function isPlain(text: string): boolean {
  return isAscii(text) && !hasUnits(text);
}

const SEPARATOR = 0;
const SMALL = 1;
const CAPITAL = 2;
const APOSTROPHE = 3;
const DIGIT = 4;
/** The kind of each ASCII character. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return SMALL;
  if (/[A-Z]/.test(character)) return CAPITAL;
  if (/\d/.test(character)) return DIGIT;
  return character === "'" ? APOSTROPHE : SEPARATOR;
});

/**
 * Adds the words of an ASCII text. Nearly all of them are hashed without making a string of them, which takes half the
 * time. Words with inner capitals, with apostrophes, or with letters and digits are left to `words`.
 */
function addPlain(found: number[], text: string): void {
  for (let index = 0; index < text.length; index++) {
    if (kindAt(text, index) === SEPARATOR) continue;
    const start = index;
    let capitals = 0;
    let others = 0;
    for (let kind = kindAt(text, index); kind !== SEPARATOR; kind = kindAt(text, ++index)) {
      if (kind === APOSTROPHE || kind === DIGIT) others += 1;
      else if (kind === CAPITAL && index > start) capitals += 1;
    }
    if (capitals + others > 0 || index - start > WORD_MAX_LENGTH) addAll(found, words(text.slice(start, index)));
    else addWord(found, text, start, index);
  }
}

/** The end of the text counts as a separator. */
function kindAt(text: string, index: number): number {
  return index < text.length ? (KINDS[text.charCodeAt(index)] as number) : SEPARATOR;
}

function addAll(found: number[], all: readonly string[]): void {
  for (const word of all) addWord(found, word, 0, word.length);
}

/**
 * Adds three numbers for the word from position `start` to before `end`, which may contain an apostrophe: the lower half
 * of its hash, and the lower and the upper half of its stem's hash.
 */
function addWord(found: number[], text: string, start: number, end: number): void {
  const hash = partHash(text, start, end);
  let slot = slotOf(hash);
  if (UPPER_KEYS[slot] === FREE) {
    slot = learn(hash, text.slice(start, end).toLowerCase().replace("'", ''));
  }
  found.push(lowerHalf(hash), LOWER_STEMS[slot] as number, UPPER_STEMS[slot] as number);
}

/** @param found the values of the first word, then those of the second, and so on */
function inParts(found: readonly number[]): Uint32Array {
  const length = found.length / VALUES_PER_WORD;
  const parts = new Uint32Array(found.length);
  for (let index = 0; index < length; index++) {
    for (let part = 0; part < VALUES_PER_WORD; part++) {
      parts[part * length + index] = found[VALUES_PER_WORD * index + part] as number;
    }
  }
  return parts;
}

/**
 * The hashes of stems by the hash of the word, because texts share most of their words, and stemming a word costs more
 * than a lookup. It is a hash table with open addressing, which needs neither an object nor a string for each word.
 */
const SLOTS = 2 ** 16;
const WORDS_MAX = 40_000;
const FREE = 0;
const LOWER_KEYS = new Uint32Array(SLOTS);
/** The upper half of each word's hash plus one, or `FREE`. */
const UPPER_KEYS = new Uint32Array(SLOTS);
const LOWER_STEMS = new Uint32Array(SLOTS);
const UPPER_STEMS = new Uint32Array(SLOTS);
let wordCount = 0;

/** Returns the slot of the word with this hash, or the free slot for it. */
function slotOf(hash: number): number {
  const lower = lowerHalf(hash);
  const upper = upperHalf(hash) + 1;
  let slot = lower & (SLOTS - 1);
  while (UPPER_KEYS[slot] !== FREE && (LOWER_KEYS[slot] !== lower || UPPER_KEYS[slot] !== upper)) {
    slot = (slot + 1) & (SLOTS - 1);
  }
  return slot;
}

/** Puts a word into the table, and returns its slot. */
function learn(hash: number, word: string): number {
  if (wordCount >= WORDS_MAX) {
    UPPER_KEYS.fill(FREE);
    wordCount = 0;
  }
  const slot = slotOf(hash);
  const ofStem = textHash(stem(word));
  LOWER_KEYS[slot] = lowerHalf(hash);
  UPPER_KEYS[slot] = upperHalf(hash) + 1;
  LOWER_STEMS[slot] = lowerHalf(ofStem);
  UPPER_STEMS[slot] = upperHalf(ofStem);
  wordCount += 1;
  return slot;
}
