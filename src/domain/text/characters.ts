/** Kinds of characters, runs of characters of one kind, and lengths in characters. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, control characters included
const NOT_ASCII = /[^\x00-\x7f]/;

export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** Kinds of characters. Letters of one kind are of scripts that are split into words alike. */
export const KIND = {
  separator: 0,
  latin: 1,
  cyrillic: 2,
  greek: 3,
  arabic: 4,
  hebrew: 5,
  indic: 6,
  hangul: 7,
  /** Letters of scripts with spaces that are not listed here. */
  other: 8,
  han: 9,
  kana: 10,
  /** Thai, Lao, Khmer and Burmese, which are written without spaces. */
  unspaced: 11,
  digit: 12,
  mark: 13,
  emoji: 14,
} as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

const PATTERNS: readonly [Kind, RegExp][] = [
  [KIND.latin, /(?=\p{L})\p{Script=Latin}/u],
  [KIND.cyrillic, /(?=\p{L})\p{Script=Cyrillic}/u],
  [KIND.greek, /(?=\p{L})\p{Script=Greek}/u],
  [KIND.arabic, /(?=\p{L})\p{Script=Arabic}/u],
  [KIND.hebrew, /(?=\p{L})\p{Script=Hebrew}/u],
  [KIND.hangul, /(?=\p{L})\p{Script=Hangul}/u],
  [KIND.han, /(?=[\p{L}\p{N}])\p{Script=Han}/u],
  [KIND.kana, /(?=\p{L})[\p{scx=Hira}\p{scx=Kana}]/u],
  [KIND.unspaced, /(?=[\p{L}\p{M}])[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u],
  [
    KIND.indic,
    /(?=[\p{L}\p{M}])[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u,
  ],
  [KIND.digit, /\p{N}/u],
  [KIND.mark, /\p{M}/u],
  [KIND.other, /\p{L}/u],
  [KIND.emoji, /(?![\u00a9\u00ae])\p{Extended_Pictographic}/u],
];

const BLOCK = 256;
const UNKNOWN = 255;
/** The kinds of the code units of the Basic Multilingual Plane. A block is filled when it is first needed. */
const KINDS = new Uint8Array(0x1_0000).fill(UNKNOWN);
const OTHER_PLANES = new Map<number, Kind>();

/** @param codePoint of the Basic Multilingual Plane or of another */
export function kindOf(codePoint: number): Kind {
  if (codePoint >= 0x1_0000) return kindInOtherPlane(codePoint);
  const known = KINDS[codePoint] as number;
  if (known !== UNKNOWN) return known as Kind;
  const start = codePoint - (codePoint % BLOCK);
  for (let code = start; code < start + BLOCK; code++) KINDS[code] = byPattern(code);
  return KINDS[codePoint] as Kind;
}

function kindInOtherPlane(codePoint: number): Kind {
  const known = OTHER_PLANES.get(codePoint);
  if (known !== undefined) return known;
  const kind = byPattern(codePoint);
  OTHER_PLANES.set(codePoint, kind);
  return kind;
}

function byPattern(codePoint: number): Kind {
  const character = String.fromCodePoint(codePoint);
  return PATTERNS.find(([, pattern]) => pattern.test(character))?.[0] ?? KIND.separator;
}

/** A part of a text from `start` to before `end`. */
export interface Run {
  start: number;
  end: number;
  kind: Kind;
  /** Whether an ASCII capital follows another character. */
  hasInnerCapital: boolean;
}

/**
 * Calls `found` for each run, in order. The run is valid during the call only. Marks belong to the letter before them,
 * and digits to the letters beside them, except in scripts without spaces between words.
 */
export function eachRun(text: string, found: (run: Run) => void): void {
  const run: Run = { start: 0, end: 0, kind: KIND.separator, hasInnerCapital: false };
  for (let at = 0; at < text.length; at = run.end) {
    let code = text.charCodeAt(at);
    if (code >= 0xd800 && code <= 0xdbff) code = text.codePointAt(at) as number;
    const kind = kindOf(code);
    if (isPartOf(run.kind, kind)) {
      if (run.kind === KIND.digit) run.kind = kind;
      if (code >= 0x41 && code <= 0x5a) run.hasInnerCapital = true;
    } else {
      if (run.kind !== KIND.separator) found(run);
      run.start = at;
      run.kind = kind === KIND.mark ? KIND.separator : kind;
      run.hasInnerCapital = false;
    }
    run.end = at + (code >= 0x1_0000 ? 2 : 1);
  }
  if (run.kind !== KIND.separator) found(run);
}

function isPartOf(run: Kind, kind: Kind): boolean {
  if (run === KIND.separator || run === KIND.emoji) return false;
  if (kind === run || kind === KIND.mark) return true;
  if (kind === KIND.digit) return run <= KIND.other && run !== KIND.hangul;
  return run === KIND.digit
    ? kind <= KIND.other && kind !== KIND.separator && kind !== KIND.hangul
    : isHanOrKana(run) && isHanOrKana(kind);
}

/** Han characters and kana are written together in Japanese. */
function isHanOrKana(kind: Kind): boolean {
  return kind === KIND.han || kind === KIND.kana;
}

const PAIR_OF_HALVES = /[\ud800-\udbff][\udc00-\udfff]/g;

/**
 * The number of Unicode code points, which is close to the number of characters that a person counts
 * (docs/decisions.md, "Content length").
 */
export function characterCount(text: string): number {
  return text.length - (text.match(PAIR_OF_HALVES)?.length ?? 0);
}

/** The beginning of a text, with at most `characters` code points. Never splits a character. */
export function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = 0;
  for (let taken = 0; taken < characters && end < text.length; taken++) {
    end += (text.codePointAt(end) as number) >= 0x1_0000 ? 2 : 1;
  }
  return text.slice(0, end);
}
