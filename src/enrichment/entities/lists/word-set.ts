/** Words between spaces as a set. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Phrases between commas or line breaks as a set. */
export function phraseSet(phrases: string): ReadonlySet<string> {
  return new Set(phrasesOf(phrases));
}

/** Phrases between commas or line breaks, in their order. */
export function phrasesOf(phrases: string): string[] {
  return phrases
    .split(/[,\n]/)
    .map(phrase => phrase.trim())
    .filter(phrase => phrase !== '');
}
