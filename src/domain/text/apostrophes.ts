/** Decides what an apostrophe means: a possessive, an elided word, a contraction, or a suffix after a name. */

/** Articles and pronouns of French, Italian and Catalan that lose their vowel: "l’équipe", "dell’anno", "qu’il". */
const ELIDED = /^(?:[cdjlmnst]|(?:jus|lors|puis)?qu|(?:a|be|co|da|de|ne|que|su)?ll|gl|un|quest)$/i;
/** A vowel is lost only before another one, or before a silent h. */
const BEFORE_VOWEL = /^[aeiouyh]/i;
/** The ends of English contractions, and of "o’clock". */
const CONTRACTED = /^(?:t|ll|ve|re|d|m)$/i;
const ELIDED_MAX_LENGTH = 6;
const CONTRACTED_MAX_LENGTH = 2;
const LATIN = /\p{Script=Latin}/u;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/**
 * The text without apostrophes. A possessive "'s" and an elided word are left out, a contraction becomes one word, and
 * "GitHub'da" becomes two. Between other letters than Latin ones, an apostrophe belongs to the word.
 */
export function withoutApostrophes(text: string): string {
  let at = nextApostrophe(text, 0);
  if (at < 0) return text;
  let plain = '';
  let done = 0;
  for (; at >= 0; at = nextApostrophe(text, at + 1)) {
    const before = lettersBefore(text, at, done);
    const after = lettersAfter(text, at + 1);
    const isPossessive = /^s$/i.test(after);
    const isElided = BEFORE_VOWEL.test(after) && ELIDED.test(before);
    plain += text.slice(done, isElided ? at - before.length : at);
    if (!isElided && !isPossessive && isBetweenWords(text, at, { before, after })) plain += ' ';
    done = at + (isPossessive ? 2 : 1);
  }
  return plain + text.slice(done);
}

function isBetweenWords(text: string, at: number, { before, after }: { before: string; after: string }): boolean {
  if (!LATIN.test(text.charAt(at - 1)) || !LATIN.test(text.charAt(at + 1))) return false;
  return !CONTRACTED.test(after) && !/^o$/i.test(before);
}

function nextApostrophe(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x27 || code === 0x2019) return at;
  }
  return -1;
}

/** The word before an apostrophe, or nothing if it is longer than an elided word. */
function lettersBefore(text: string, end: number, least: number): string {
  let start = end;
  while (start > least && end - start <= ELIDED_MAX_LENGTH && WORD_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  return end - start <= ELIDED_MAX_LENGTH ? text.slice(start, end) : '';
}

/** The word after an apostrophe, cut after more letters than a contraction has. */
function lettersAfter(text: string, start: number): string {
  let end = start;
  while (end - start <= CONTRACTED_MAX_LENGTH && end < text.length && WORD_CHARACTER.test(text.charAt(end))) end += 1;
  return text.slice(start, end);
}
