/**
 * The terms by which texts are indexed, and those of a question: stems, names of several words without a space
 * (`snake_case`, `node.js`, PAY-123, paths), beginnings of digests, and pieces of words in other languages than English.
 */
import type { Memory } from '../memory.js';
import { searchedMetadata } from '../metadata.js';
import { isAscii, KIND, kindOf } from './characters.js';
import { fold } from './fold.js';
import { isEnglish, isStopWord, languagesOf, stopWords } from './language.js';
import { DOT_LETTER, dictionaryWords, pairsIn, stem, WORD_MAX_LENGTH, words } from './words.js';

/** The stems of a text in reading order, including repetitions. */
export function stems(text: string): string[] {
  return words(text).map(stem);
}

const ENGLISH_WORD = /^[a-z\d]+$/;
const CAPITALS = /\b[A-Z]{2,4}\b/g;
const HAS_CAPITALS = /[A-Z]{2}/;
const SMALL_LETTER = /\p{Ll}/u;
/** Marks a stop word that is written in capitals, such as "IT" or "US". It is another word. */
const CAPITALS_MARK = '\ua78f';
/** A particle or the end of a word. Texts are not indexed by it. */
const SINGLE_KANA = /^[\p{scx=Hira}\p{scx=Kana}]$/u;
const HAN = /\p{Script=Han}/gu;
/** Letters that German and the Nordic languages also write as two letters, with the second of these. */
const TRANSCRIBED: Readonly<Record<string, string>> = { ä: 'e', ö: 'e', ü: 'e', ø: 'e', å: 'a' };
const HAS_TRANSCRIBED = /[äöüøåÄÖÜØÅ]|\u0308|\u030a/;
const LETTERS = /\p{L}+/gu;

/** The terms under which a memory is found, with repetitions. */
export function indexedTerms({ content, tags, metadata }: Pick<Memory, 'content' | 'tags' | 'metadata'>) {
  const ofContent = words(content);
  const areEnglish = isEnglish(ofContent);
  const ofText = (text: string) => withFurther(text, words(text), areEnglish);
  return {
    ofContent: withFurther(content, ofContent, areEnglish),
    ofTags: ofText(tags.join(' ')),
    ofMetadata: ofText(searchedMetadata(metadata)),
  };
}

function withFurther(text: string, all: string[], areEnglish: boolean): string[] {
  return [...all.map(stem), ...furtherTerms(text, areEnglish, all)];
}

/**
 * The further terms of a text, in no order: joined forms of its names, beginnings of its digests, and pieces of its
 * words. English words have no pieces, because their stems suffice.
 *
 * @param areEnglish whether the words are English, as `isEnglish` returns it
 * @param known the words of the text, if they are known
 */
export function furtherTerms(text: string, areEnglish: boolean, known?: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  if (text === '') return found;
  const folded = fold(text);
  for (const name of joinedNames(folded)) found.add(stem(name));
  for (const digest of shortDigests(folded)) found.add(digest);
  for (const word of capitalizedStopWords(text)) found.add(CAPITALS_MARK + word);
  if (areEnglish && isAscii(text)) return found;
  const others: string[] = [];
  for (const word of known ?? words(text)) {
    // A question of one character finds the pairs with it.
    if (isHanOrKana(word)) for (const [character] of word.matchAll(HAN)) found.add(character);
    else if (!areEnglish || !ENGLISH_WORD.test(word)) others.push(word);
  }
  const spellings = transcriptions(text).flatMap(([, spelling]) => spelling);
  for (const piece of [...others, ...spellings].flatMap(piecesOf).flat()) found.add(piece);
  return found;
}

/** The stop words in capitals, in lower case. None if the text has no small letters. */
function capitalizedStopWords(text: string): string[] {
  if (!HAS_CAPITALS.test(text) || !SMALL_LETTER.test(text)) return [];
  const english = stopWords('en');
  return (text.match(CAPITALS) ?? []).map(word => word.toLowerCase()).filter(word => english.has(word));
}

/** The words that can be written with two letters for one, with this spelling: "Änderung" gives `aenderung`. */
function transcriptions(text: string): [word: string, spelling: string[]][] {
  if (!HAS_TRANSCRIBED.test(text)) return [];
  return [...text.normalize('NFC').matchAll(LETTERS)]
    .filter(([written]) => HAS_TRANSCRIBED.test(written))
    .map(([written]) => [
      words(written)[0] ?? '',
      words(written.replace(/[äöüøå]/giu, letter => letter + TRANSCRIBED[letter.toLowerCase()])),
    ]);
}

/** A term of a question. */
export interface QueryTerm {
  /** The stem of a word, or a pair of Han characters or kana. */
  term: string;
  /** The word as `words` returns it. */
  word: string;
  /** Whether the term is a name of several words, which are terms themselves. It counts only if some memory has it. */
  isName?: boolean;
  /** Other spellings of the word. Each is a list of terms, which stand for it if a text has all of them. */
  spellings: readonly (readonly string[])[];
  /** Pieces of the word and of its transcription. Each list stands for it as far as a text has them. */
  pieces: readonly (readonly string[])[];
}

/**
 * The distinct terms of a question or a text, in order, with other ways to find them, which count less. Stop words of its
 * language are left out unless it contains only stop words.
 *
 * @param limit maximum number of terms
 */
export function readQuery(query: string, limit = Number.POSITIVE_INFINITY): QueryTerm[] {
  const languages = languagesOf(query);
  const all = dictionaryWords(query);
  const areEnglish = isEnglish(all);
  const capitalized = new Set(capitalizedStopWords(query));
  const meaningful = all.filter(
    word => capitalized.has(word) || !(isStopWord(word, languages) || SINGLE_KANA.test(word)),
  );
  const read = meaningful.length > 0 ? meaningful : all;
  const transcribed = new Map(transcriptions(query));
  const found = new Map<string, QueryTerm>();
  for (const [at, word] of read.entries()) {
    if (found.size >= limit) break;
    const add = (term: string, spellings: string[][], pieces: string[][] = []) => {
      const isOther = (keys: readonly string[]) => keys.length > 0 && !keys.includes(term);
      if (!found.has(term))
        found.set(term, { term, word, spellings: spellings.filter(isOther), pieces: pieces.filter(isOther) });
    };
    if (isHanOrKana(word)) for (const pair of pairsIn(word)) add(pair, [pair.match(HAN) ?? []]);
    else if (capitalized.has(word)) add(CAPITALS_MARK + word, [[stem(word)]]);
    else {
      const isEnglishWord = areEnglish && ENGLISH_WORD.test(word);
      const pieces = isEnglishWord ? [] : [word, ...(transcribed.get(word) ?? [])].flatMap(piecesOf);
      const digests = [...shortDigests(word)].map(digest => [digest]);
      add(stem(word), [...joined(read, at), ...digests], pieces);
    }
  }
  const names = [...joinedNames(fold(query))].map(stem).filter(name => !found.has(name));
  for (const name of names) found.set(name, { term: name, word: name, isName: true, spellings: [], pieces: [] });
  return [...found.values()].slice(0, limit);
}

/** The distinct terms of a question or a text, in order, without the names of several words. */
export function queryTerms(query: string): string[] {
  return readQuery(query)
    .filter(({ isName }) => !isName)
    .map(({ term }) => term);
}

function isHanOrKana(word: string): boolean {
  const kind = kindOf(word.codePointAt(0) ?? 0);
  return kind === KIND.han || kind === KIND.kana;
}

/** The word joined with its neighbors: "time zone" is also written "timezone". */
function joined(all: readonly string[], at: number): string[][] {
  const [before, word, after] = [all[at - 1], all[at], all[at + 1]];
  return [...(before === undefined ? [] : [`${before}${word}`]), ...(after === undefined ? [] : [`${word}${after}`])]
    .filter(each => !ONLY_DIGITS.test(each))
    .map(each => [stem(each)]);
}

const ONLY_DIGITS = /^\d+$/;
const SPLIT_WORD = /^[a-z]{6,24}$/;
const HALF_MIN_LENGTH = 3;

/** The pairs of words that may be written as one: "timezone" may also be "time zone". */
export function halvesOf(word: string): string[][] {
  if (!SPLIT_WORD.test(word)) return [];
  return Array.from({ length: word.length - 2 * HALF_MIN_LENGTH + 1 }, (_, index) => index + HALF_MIN_LENGTH)
    .map(at => [word.slice(0, at), word.slice(at)])
    .filter(halves => !halves.some(half => isStopWord(half)))
    .map(halves => halves.map(stem));
}

/**
 * Inverse document frequency: ln(1 + (N - n + 0.5) / (n + 0.5)), as in BM25 (Robertson and Zaragoza, "The Probabilistic
 * Relevance Framework", 2009). Never negative. Rarer terms weigh more.
 *
 * @param frequency n, the number of memories with the term
 * @param memoryCount N, the number of all memories
 */
export function inverseDocumentFrequency(frequency: number, memoryCount: number): number {
  // The two numbers are read at different moments, so n may exceed N.
  const total = Math.max(memoryCount, frequency);
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}

/** Words that single signs join. Two signs, as in "https://", do not join. */
const COMPOUND = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_./\\:@&+~'’][\p{L}\p{N}]+)+/gu;
const SIGN = /[-_./\\:@&+~'’]/g;
const HAS_COMPOUND = /[-_./\\:@&+~'’][\p{L}\p{N}]/u;
/** A possessive or a contraction, which `words` reads as one word. */
const ONE_WORD = /^\p{L}+['’](?:s|t|ll|ve|re|d|m)$/iu;
const DOT_IN_NUMBER = /(?<=\d)\.(?=\d)/g;
const BETWEEN_STEPS = /[/\\:@&~+]/;
const NO_LETTER = /^[\d\W_]*$/;
const JOINED_MIN_LENGTH = 3;
const DIGEST = /(?<![\p{L}\p{N}])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,64}(?![\p{L}\p{N}])/giu;
/** Lengths to which people and tools shorten a digest. */
const SHORT_DIGEST_LENGTHS = [7, 8, 9, 10, 11, 12];

/**
 * Returns the names without their signs, in lower case: "src/word-runs.ts" gives `srcwordrunsts`, `wordrunsts` and
 * `wordruns`. Numbers are left out, because 1.2.3 is not 123.
 *
 * @param text folded
 */
function joinedNames(text: string): Set<string> {
  const found = new Set<string>();
  if (!HAS_COMPOUND.test(text)) return found;
  for (const [compound] of text.matchAll(COMPOUND)) {
    if (ONE_WORD.test(compound)) continue;
    const steps = compound.split(BETWEEN_STEPS);
    const last = steps.at(-1) ?? '';
    for (const name of [compound, ...steps, last.slice(0, Math.max(0, last.lastIndexOf('.')))]) {
      const joined = name.replace(DOT_IN_NUMBER, DOT_LETTER).replace(SIGN, '').toLowerCase();
      const isJoined = joined.length < name.length || name === compound;
      if (isJoined && isName(joined)) found.add(joined);
    }
  }
  return found;
}

function isName(joined: string): boolean {
  return joined.length >= JOINED_MIN_LENGTH && joined.length <= WORD_MAX_LENGTH && !NO_LETTER.test(joined);
}

/** Returns the usual beginnings of the digests in a text. */
function shortDigests(text: string): Set<string> {
  const found = new Set<string>();
  for (const [digest] of text.matchAll(DIGEST)) {
    for (const length of SHORT_DIGEST_LENGTHS) {
      if (digest.length > length) found.add(digest.slice(0, length).toLowerCase());
    }
  }
  return found;
}

/** Marks a piece, so that it is never a word. */
const PIECE = '\u02d0';
const BEGINNINGS = [4, 6];
/** In these scripts three letters say as much as four elsewhere: vowels are marks, or are not written. */
const SHORT_BEGINNINGS = [3, 5];
const HAS_NUMBER = /\d/;
/** "and", "in", "like", "for" and the article, which are written together with the word after them. */
const ARABIC_PREFIX = /^(?:[وف]?[بكل]?ال|[وف]?لل|[وف])(?=.{3})/u;
const HEBREW_PREFIX = /^[והבלמשכ]+(?=.{3})/u;
/** Long vowels and the feminine ending, which often change between the forms of a word. */
const ARABIC_VOWELS = /(?!^)[اويهءئؤ]/gu;
const HEBREW_VOWELS = /(?!^)[ויה]/gu;

/**
 * @param word as returned by `words`
 * @returns lists of marked pieces, none of which is equal to a word. Each list describes the word alone.
 */
function piecesOf(word: string): string[][] {
  switch (kindOf(word.codePointAt(0) ?? 0)) {
    case KIND.hangul:
      return syllables(word);
    case KIND.arabic:
      return consonants(word, ARABIC_PREFIX, ARABIC_VOWELS);
    case KIND.hebrew:
      return consonants(word, HEBREW_PREFIX, HEBREW_VOWELS);
    case KIND.indic:
      return [beginnings(word, SHORT_BEGINNINGS)];
    case KIND.latin:
    case KIND.cyrillic:
    case KIND.greek:
    case KIND.other:
      return [beginnings(word, BEGINNINGS)];
    default:
      return [];
  }
}

/** Pairs, and the first of them alone: most nouns have two syllables, and a particle follows. */
function syllables(word: string): string[][] {
  const pairs = pairsIn(word).map(pair => PIECE + pair);
  return pairs.length > 1 ? [pairs, pairs.slice(0, 1)] : [pairs];
}

function consonants(word: string, prefix: RegExp, vowels: RegExp): string[][] {
  const written = word.replace(prefix, '');
  return [written.replace(vowels, ''), written].map(each => beginnings(each, SHORT_BEGINNINGS));
}

function beginnings(word: string, lengths: readonly number[]): string[] {
  if (word.length < (lengths[0] as number) || HAS_NUMBER.test(word)) return [];
  return lengths.filter(length => word.length >= length).map(length => PIECE + word.slice(0, length));
}
