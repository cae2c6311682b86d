/**
 * Splits text into runs of letters and digits, and emoji. Most texts are mostly ASCII, for which a table is faster than a
 * pattern.
 */

/** A combining mark belongs to the letter before it. Each emoji is a run of its own, without its marks. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|(?![\u00a9\u00ae])\p{Extended_Pictographic}/gu;

const SEPARATES = 0;
const BELONGS = 1;
/** The kind of a character that only the pattern can classify. */
const UNKNOWN = 2;

/** The characters from U+2010 to U+2027 are punctuation. None of them is a letter, a digit or a mark. */
const PUNCTUATION_FROM = 0x2010;
const PUNCTUATION_TO = 0x2027;

const KINDS = Uint8Array.from({ length: PUNCTUATION_TO + 1 }, (_, code) => {
  if (code >= 0x80) return code === 0xa0 || code >= PUNCTUATION_FROM ? SEPARATES : UNKNOWN;
  return /[A-Za-z\d]/.test(String.fromCharCode(code)) ? BELONGS : SEPARATES;
});

export interface WordRuns {
  runs: string[];
  /** Whether the table could classify every character. All runs then contain only ASCII letters and digits. */
  arePlain: boolean;
}

export function wordRuns(text: string): WordRuns {
  const runs: string[] = [];
  let arePlain = true;
  for (let index = 0; index < text.length; index++) {
    if (kindAt(text, index) === SEPARATES) continue;
    const start = index;
    let isPlain = true;
    for (let kind = kindAt(text, index); index < text.length && kind !== SEPARATES; kind = kindAt(text, ++index)) {
      if (kind === UNKNOWN) isPlain = false;
    }
    const stretch = text.slice(start, index);
    if (isPlain) runs.push(stretch);
    else for (const [run] of stretch.matchAll(WORD)) runs.push(run);
    arePlain &&= isPlain;
  }
  return { runs, arePlain };
}

function kindAt(text: string, index: number): number {
  return KINDS[text.charCodeAt(index)] ?? UNKNOWN;
}
