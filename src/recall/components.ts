/** The score components that words decide. Pure; each is 0..1 (decisions D17, D18). */
import type { QueryEvidence, TextEvidence } from './evidence.js';

/** Points of a match, from the specification; each is multiplied with the worth of its term. */
const CONTENT_POINTS = 2;
const TAG_POINTS = 1;

/**
 * Points per term found in content or tags, plus a bonus for the terms as a phrase, over what could be had at most.
 * The bonus counts as one more term of average worth.
 */
export function keywordComponent({ terms, weights }: QueryEvidence, text: TextEvidence): number {
  if (terms.length === 0) return 0;
  const contentStems = new Set(text.stems);
  let points = 0;
  let worth = 0;
  for (const term of terms) {
    const weight = weights.get(term) ?? 0;
    worth += weight;
    if (contentStems.has(term)) points += weight * CONTENT_POINTS;
    if (text.tagStems.has(term)) points += weight * TAG_POINTS;
  }
  const averageWorth = worth / terms.length;
  if (longestRun(terms, text.stems) === terms.length) points += averageWorth * CONTENT_POINTS;
  if (terms.every(term => text.tagStems.has(term))) points += averageWorth * TAG_POINTS;
  const most = (worth + averageWorth) * (CONTENT_POINTS + TAG_POINTS);
  return most === 0 ? 0 : points / most;
}

/** 1 when the whole query stands in the content, else the share of its longest run of words that does. */
export function exactComponent({ words }: QueryEvidence, text: TextEvidence): number {
  return words.length === 0 ? 0 : longestRun(words, text.words) / words.length;
}

/** Share of the query's terms that the tags hold. */
export function tagComponent({ terms }: QueryEvidence, text: TextEvidence): number {
  if (terms.length === 0) return 0;
  return terms.filter(term => text.tagStems.has(term)).length / terms.length;
}

/** Length of the longest run of `needle` that stands in `haystack`: the longest common substring, over words. */
function longestRun(needle: readonly string[], haystack: readonly string[]): number {
  let previous = new Uint16Array(needle.length + 1);
  let current = new Uint16Array(needle.length + 1);
  let longest = 0;
  for (const word of haystack) {
    for (let index = 0; index < needle.length; index++) {
      const run = needle[index] === word ? (previous[index] ?? 0) + 1 : 0;
      current[index + 1] = run;
      if (run > longest) longest = run;
    }
    [previous, current] = [current, previous];
  }
  return longest;
}
