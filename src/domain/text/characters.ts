/** The kind of each character. A table, because most characters are asked for again and again, and a pattern is slow. */

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
/** The kinds of the code units of the Basic Multilingual Plane. A block is filled when it is first asked for. */
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
