/** A memory in a compact form that is compared with a query without further analysis. */

import { createHash } from 'node:crypto';
import { createRecent } from '../../domain/collections.js';
import { conversationsOf } from '../../domain/conversation.js';
import type { Memory } from '../../domain/memory.js';
import { searchedMetadata } from '../../domain/metadata.js';
import { tagKeys } from '../../domain/tags.js';
import { isEnglish, stopWords } from '../../domain/text/language.js';
import { furtherTerms, stems } from '../../domain/text/terms.js';
import { stem, wordHash, words } from '../../domain/text/words.js';

export interface AnalyzedMemory {
  memory: Memory;
  text: AnalyzedText;
  createdMs: number;
  accessedMs: number;
  /** Ids of the memory's conversations. Empty for a memory outside of conversations. */
  conversations: readonly string[];
}

/** Words are compared by their hashes, as `wordHash` returns them. */
export interface AnalyzedText {
  /** All words of the content, in order. */
  words: Int32Array;
  /** The stem of each word, in order. */
  stems: Int32Array;
  /** Further terms of content and tags, as `furtherTerms` returns them. */
  further: Int32Array;
  /** Stems and further terms of the metadata that are searched. */
  metadata: Int32Array;
  /** The stems of each tag, in order. */
  tags: readonly (readonly number[])[];
  /** Equal for memories with the same text and tags, as `samenessOf` returns it. */
  sameness: string;
  /** Whether the text ends with a question mark. */
  isQuestion: boolean;
  /** Stem of the speaker's first name, if the text begins like a line of a transcript: `Anna: `, `Anna Berg: `. */
  speaker?: string;
}

/** Size of the cache in bytes: about 12,000 notes, or 2,100 long messages. */
const CACHE_MAX_BYTES = 18 * 1024 * 1024;
/** Estimated size in bytes of an analyzed memory without its content and hashes. */
const ANALYZED_BYTES = 820;

const ANALYZED = createRecent<AnalyzedMemory>(
  CACHE_MAX_BYTES,
  ({ memory: { content }, text: { words: ofWords, stems: ofStems, further, metadata } }) =>
    ANALYZED_BYTES + content.length + 4 * (ofWords.length + ofStems.length + further.length + metadata.length),
);

export function analyze(memory: Memory): AnalyzedMemory {
  const known = ANALYZED.get(memory.id);
  // Stores return the same object until they write or forget the record.
  if (known?.memory === memory) return known;
  const analyzed = {
    memory,
    text: known && isSameText(known.memory, memory) ? known.text : analyzeText(memory),
    createdMs: Date.parse(memory.timestamp),
    accessedMs: Date.parse(memory.last_accessed),
    conversations: conversationsOf(memory),
  };
  ANALYZED.set(memory.id, analyzed);
  return analyzed;
}

function isSameText(one: Memory, other: Memory): boolean {
  if (one.content !== other.content || one.tags.length !== other.tags.length) return false;
  if (searchedMetadata(one.metadata) !== searchedMetadata(other.metadata)) return false;
  return one.tags.every((tag, index) => tag === other.tags[index]);
}

const LINE_OF_TRANSCRIPT = /^\s{0,8}(\p{Lu}[\p{L}'’-]{1,30})(?: \p{Lu}[\p{L}'’-]{1,30})?:\s/u;
/** A question mark, after which only punctuation and emoji follow. */
const ENDS_WITH_QUESTION_MARK = /[?？؟][^\p{L}\p{N}]{0,32}$/u;

export function analyzeText({ content, tags, metadata }: Pick<Memory, 'content' | 'tags' | 'metadata'>): AnalyzedText {
  const all = words(content);
  const areEnglish = isEnglish(all);
  const [, name] = LINE_OF_TRANSCRIPT.exec(content) ?? [];
  const [speaker] = stems(name ?? '');
  const ofMetadata = searchedMetadata(metadata);
  return {
    words: hashesOf(all),
    stems: hashesOf(all.map(stem)),
    further: hashesOf([...furtherTerms(content, areEnglish, all), ...furtherTerms(tags.join(' '), areEnglish)]),
    metadata: hashesOf([...stems(ofMetadata), ...furtherTerms(ofMetadata, areEnglish)]),
    tags: tags.map(tag => stems(tag).map(wordHash)),
    sameness: samenessOf(content, tags),
    isQuestion: ENDS_WITH_QUESTION_MARK.test(content),
    ...(speaker !== undefined && { speaker }),
  };
}

/** Hashes the words in a loop, because `from` with a function takes several times as long. */
function hashesOf(all: readonly string[]): Int32Array {
  const hashes = new Int32Array(all.length);
  for (let at = 0; at < all.length; at++) hashes[at] = wordHash(all[at] as string);
  return hashes;
}

let englishStopWords: ReadonlySet<number> | undefined;

/** The stems of all words of the content, except stop words. */
export function meaningfulStems({ words: all, stems: stemsOfAll }: AnalyzedText): Set<number> {
  englishStopWords ??= new Set([...stopWords('en')].map(wordHash));
  const found = new Set<number>();
  for (const [index, word] of all.entries()) {
    if (!englishStopWords.has(word)) found.add(stemsOfAll[index] as number);
  }
  return found;
}

/** Whether the content has the stem, or content or tags have it as a further term. */
export function hasStem({ stems: stemsOfAll, further }: AnalyzedText, stemHash: number): boolean {
  return stemsOfAll.includes(stemHash) || further.includes(stemHash);
}

/** Whether one of the tags has the stem. */
export function hasTagStem({ tags }: AnalyzedText, stemHash: number): boolean {
  for (const stemsOfTag of tags) if (stemsOfTag.includes(stemHash)) return true;
  return false;
}

/** Words or stems to search for, with the places at which each of them stands. */
export interface Phrase {
  hashes: readonly number[];
  places: ReadonlyMap<number, readonly number[]>;
}

/** @param all words or stems, in order */
export function phraseOf(all: readonly string[]): Phrase {
  const hashes = all.map(wordHash);
  const places = new Map<number, number[]>();
  for (const [place, hash] of hashes.entries()) places.set(hash, [...(places.get(hash) ?? []), place]);
  return { hashes, places };
}

/** Length of the longest run of a phrase in a text: the longest common substring, with words instead of characters. */
export function longestRun(text: ArrayLike<number>, { hashes, places }: Phrase): number {
  let longest = 0;
  for (let at = 0; at < text.length; at++) {
    for (const place of places.get(text[at] as number) ?? []) {
      // This place belongs to a run that has been measured from its beginning.
      if (at > 0 && place > 0 && text[at - 1] === hashes[place - 1]) continue;
      let length = 1;
      while (place + length < hashes.length && text[at + length] === hashes[place + length]) length += 1;
      longest = Math.max(longest, length);
    }
  }
  return longest;
}

/**
 * Punctuation at the end of a sentence or clause. Other symbols are kept, because they distinguish texts: `C` from
 * `C#`, and `a < b` from `a > b`.
 */
const PUNCTUATION = /[.,;:!…](?<=[\p{L}\p{N}].)[.,;:!…]*(?=\s|$)/gu;

/**
 * A hash of the normalized content and tags. It is equal for memories whose contents differ at most in case, spacing and
 * punctuation, and whose tags have the same keys.
 */
function samenessOf(content: string, tags: readonly string[]): string {
  const text = content.toLowerCase().replace(PUNCTUATION, '').replace(/\s+/g, ' ');
  const whole = JSON.stringify([text, tagKeys(tags).sort()]);
  return createHash('sha256').update(whole).digest('base64');
}
