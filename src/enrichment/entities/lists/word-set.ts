/** Turns words between spaces into a set. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Turns phrases between commas or line breaks into a set. */
export function phraseSet(phrases: string): ReadonlySet<string> {
  return new Set(phrasesOf(phrases));
}

/** Turns phrases between commas or line breaks into a list, in their order. */
export function phrasesOf(phrases: string): string[] {
  return phrases
    .split(/[,\n]/)
    .map(phrase => phrase.trim())
    .filter(phrase => phrase !== '');
}
