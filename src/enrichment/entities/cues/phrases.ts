/**
 * Cues are asked of the text that ends where a name begins, or that begins where it ends, a line at most: patterns of
 * plain alternatives, so that no text makes them slow.
 */

/** Phrases between commas or line breaks as the alternatives of a pattern. */
export function oneOf(phrases: string): string {
  return `(?:${phrases
    .split(/[,\n]/)
    .map(phrase => phrase.trim())
    .filter(phrase => phrase !== '')
    .join('|')})`;
}

/** What stands right before a name, whatever its case. */
export function before(pattern: string): RegExp {
  return new RegExp(`\\b${pattern} $`, 'i');
}

/** What stands right behind a name. */
export function behind(pattern: string): RegExp {
  return new RegExp(`^ ${pattern}\\b`);
}

export function isSome(cues: readonly RegExp[], text: string): boolean {
  return cues.some(cue => cue.test(text));
}
