/** Splits a text into runs: letters of one script with their digits and marks, or an emoji. */
import { KIND, type Kind, kindOf } from './characters.js';

/** A part of a text from `start` to before `end`. */
export interface Run {
  start: number;
  end: number;
  kind: Kind;
  /** Whether an ASCII capital follows another character. */
  hasInnerCapital: boolean;
}

/** Whether each ASCII character is a letter or a digit. Most texts are mostly ASCII. */
const IS_WORD = Uint8Array.from({ length: 0x80 }, (_, code) => (kindOf(code) === KIND.separator ? 0 : 1));

const CODE_OF_9 = 0x39;

/**
 * Calls `found` for each run, in order. The run is valid during the call only. Marks belong to the letter before them,
 * and digits to the letters beside them, except in scripts without spaces between words.
 */
export function eachRun(text: string, found: (run: Run) => void): void {
  const run: Run = { start: 0, end: 0, kind: KIND.separator, hasInnerCapital: false };
  for (let at = 0; at < text.length; ) {
    let code = text.charCodeAt(at);
    if (code < 0x80 && IS_WORD[code] === 0) {
      if (run.kind !== KIND.separator) found(run);
      run.kind = KIND.separator;
      at += 1;
      continue;
    }
    if (code < 0x80 && run.kind === KIND.separator) {
      at = startPlainRun(run, text, at);
      continue;
    }
    if (code >= 0xd800 && code <= 0xdbff) code = text.codePointAt(at) as number;
    const next = at + (code >= 0x1_0000 ? 2 : 1);
    const kind = kindOf(code);
    if (isPartOf(run.kind, kind)) {
      if (run.kind === KIND.digit) run.kind = kind;
      if (code >= 0x41 && code <= 0x5a) run.hasInnerCapital = true;
      run.end = next;
    } else {
      if (run.kind !== KIND.separator) found(run);
      run.start = at;
      run.end = next;
      run.kind = kind === KIND.mark ? KIND.separator : kind;
      run.hasInnerCapital = false;
    }
    at = next;
  }
  if (run.kind !== KIND.separator) found(run);
}

/**
 * Sets a run to the ASCII letters and digits from `start` on, which are most of most texts.
 *
 * @returns the position behind them
 */
function startPlainRun(run: Run, text: string, start: number): number {
  let end = start;
  let isNumber = true;
  run.hasInnerCapital = false;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code >= 0x80 || IS_WORD[code] === 0) break;
    if (code > CODE_OF_9) isNumber = false;
    if (end > start && code >= 0x41 && code <= 0x5a) run.hasInnerCapital = true;
  }
  run.start = start;
  run.end = end;
  run.kind = isNumber ? KIND.digit : KIND.latin;
  return end;
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
