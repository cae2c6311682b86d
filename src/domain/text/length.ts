/** Counts and cuts the characters of texts. */
/**
 * The number of Unicode code points, which is close to the number of characters that a person counts
 * (docs/decisions.md, "Content length").
 */
export function characterCount(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if (isLowHalf(text.charCodeAt(index)) && isHighHalf(text.charCodeAt(index - 1))) count -= 1;
  }
  return count;
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The beginning of a text, with at most `characters` code points. Never splits a character. */
export function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = 0;
  for (let taken = 0; taken < characters && end < text.length; taken++) {
    end += isHighHalf(text.charCodeAt(end)) && isLowHalf(text.charCodeAt(end + 1)) ? 2 : 1;
  }
  return text.slice(0, end);
}
