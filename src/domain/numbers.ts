/** Parses numbers from callers. */

const DECIMAL_NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** Maximum length of a number as text. Longer texts are refused before they are parsed. */
const NUMBER_MAX_LENGTH = 1_000;

/** Parses a finite number, also from a decimal string. It refuses booleans, blanks and NaN. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > NUMBER_MAX_LENGTH || !DECIMAL_NUMBER.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
