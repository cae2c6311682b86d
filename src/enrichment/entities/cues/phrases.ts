/**
 * Builds the patterns of cues. A cue is matched against at most 70 characters directly before a name or directly after
 * a name. The patterns are plain alternatives, so that no text makes the matching slow.
 */

/** Turns phrases that are separated by commas or line breaks into alternatives of a pattern. */
export function oneOf(phrases: string): string {
  return `(?:${phrases
    .split(/[,\n]/)
    .map(phrase => phrase.trim())
    .filter(phrase => phrase !== '')
    .join('|')})`;
}

/** Returns a pattern that matches the text directly before a name, and ignores case. */
export function before(pattern: string): RegExp {
  return new RegExp(`\\b${pattern} $`, 'i');
}

/** Returns a pattern for the text directly after a name. */
export function behind(pattern: string): RegExp {
  return new RegExp(`^ ${pattern}\\b`);
}

export function isSome(cues: readonly RegExp[], text: string): boolean {
  return cues.some(cue => cue.test(text));
}
