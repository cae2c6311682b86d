/** Finds the terms by which texts are indexed, and by which a question is asked. */
import { isStopWord, languagesOf, stopWords } from '../language.js';
import { joinedNames, mayHaveCompounds, shortDigests } from './compounds.js';
import { fold } from './fold.js';
import { piecesOf } from './pieces.js';
import { stem, words } from './words.js';

/** The stems of a text in reading order, including repetitions. */
export function stems(text: string): string[] {
  return words(text).map(stem);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, control characters included
const ASCII = /^[\x00-\x7f]*$/;
const ENGLISH_WORD = /^[a-z\d]+$/;
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}{2,4}(?![\p{L}\p{N}])/gu;
const SMALL_LETTER = /\p{Ll}/u;
/** Marks a stop word that is written in capitals, such as "IT" or "US". It is another word. */
const CAPITALS_MARK = '\ua78f';
/** Letters that German and the Nordic languages also write as two letters, with the second of these. */
const TRANSCRIBED: Readonly<Record<string, string>> = { ä: 'e', ö: 'e', ü: 'e', ø: 'e', å: 'a' };
const HAS_TRANSCRIBED = /[äöüøå]/iu;
const LETTERS = /\p{L}+/gu;

/**
 * The further terms of a text, in no order: joined forms of its names, beginnings of its digests, and pieces of its
 * words. English words have no pieces, because their stems suffice.
 *
 * @param languages as returned by `languagesOf`
 */
export function furtherTerms(text: string, languages: readonly string[]): Set<string> {
  const found = new Set<string>();
  if (mayHaveCompounds(text)) {
    const folded = fold(text);
    for (const name of joinedNames(folded)) found.add(stem(name));
    for (const digest of shortDigests(folded)) found.add(digest);
  }
  for (const word of capitalizedStopWords(text)) found.add(CAPITALS_MARK + word);
  const isEnglishText = isEnglish(languages);
  if (isEnglishText && ASCII.test(text)) return found;
  for (const word of [...words(text), ...transcribed(text)]) {
    if (isEnglishText && ENGLISH_WORD.test(word)) continue;
    for (const piece of piecesOf(word)) found.add(piece);
  }
  return found;
}

function isEnglish(languages: readonly string[]): boolean {
  return languages.length === 1 && languages[0] === 'en';
}

/** The terms under which a memory is found, with repetitions. */
export function indexedTerms({ content, tags }: { content: string; tags: readonly string[] }) {
  const languages = languagesOf(content);
  const ofTags = tags.join(' ');
  return {
    ofContent: [...stems(content), ...furtherTerms(content, languages)],
    ofTags: [...stems(ofTags), ...furtherTerms(ofTags, languages)],
  };
}

/** The stop words in capitals, in lower case. None if the text has no small letters. */
function capitalizedStopWords(text: string): string[] {
  if (!SMALL_LETTER.test(text)) return [];
  return [...text.matchAll(CAPITALS)].map(([word]) => word.toLowerCase()).filter(word => stopWords('en').has(word));
}

/** The words with two letters for one: "Änderung" gives `aenderung`. */
function transcribed(text: string): string[] {
  if (!HAS_TRANSCRIBED.test(text)) return [];
  return [...text.normalize('NFC').matchAll(LETTERS)]
    .filter(([word]) => HAS_TRANSCRIBED.test(word))
    .flatMap(([word]) => words(word.replace(/[äöüøå]/giu, letter => letter + TRANSCRIBED[letter.toLowerCase()])));
}

/** A term of a question. */
export interface QueryTerm {
  /** The stem of a word. */
  term: string;
  /** Other ways to find the term, which count less: each is a set of terms that stand for it together. */
  variants: readonly (readonly string[])[];
}

/**
 * The distinct terms of a question, in order. Stop words of its language are left out unless the question contains only
 * stop words.
 */
export function readQuery(query: string): QueryTerm[] {
  const languages = languagesOf(query);
  const all = words(query);
  const marked = new Set(capitalizedStopWords(query));
  const meaningful = all.filter(word => marked.has(word) || !isStopWord(word, languages));
  const asked = meaningful.length > 0 ? meaningful : all;
  const isEnglishText = isEnglish(languages);
  const spelled = transcriptions(query);
  const found = new Map<string, QueryTerm>();
  for (const [at, word] of asked.entries()) {
    const term = marked.has(word) ? CAPITALS_MARK + word : stem(word);
    if (found.has(term)) continue;
    const isEnglishWord = isEnglishText && ENGLISH_WORD.test(word);
    const neighbours = [asked[at - 1], asked[at + 1]];
    const joined = [
      neighbours[0] === undefined ? undefined : neighbours[0] + word,
      neighbours[1] === undefined ? undefined : word + neighbours[1],
    ];
    const variants = [
      ...(isEnglishWord ? [] : [piecesOf(word), ...(spelled.get(word) ?? []).map(piecesOf)]),
      ...joined.flatMap(each => (each === undefined ? [] : [[stem(each)]])),
      ...[...shortDigests(word)].map(digest => [digest]),
      ...(marked.has(word) ? [[stem(word)]] : []),
    ];
    found.set(term, { term, variants: variants.filter(keys => keys.length > 0) });
  }
  return [...found.values()];
}

/** For each word that can be written with two letters for one, this spelling. */
function transcriptions(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (!HAS_TRANSCRIBED.test(text)) return found;
  for (const [written] of text.normalize('NFC').matchAll(LETTERS)) {
    const [word] = words(written);
    if (HAS_TRANSCRIBED.test(written) && word !== undefined) found.set(word, transcribed(written));
  }
  return found;
}

/** The distinct stems of a question, in order, as `readQuery` returns them. */
export function queryTerms(query: string): string[] {
  return readQuery(query).map(({ term }) => term);
}
