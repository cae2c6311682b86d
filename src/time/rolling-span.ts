/** Reads spans that start or end now: "past 2 weeks", "last 1.5 hours", "next day", "past 1 year and 2 months". */
import { type Now, type Span, shift, type Unit } from './calendar.js';

/** A length of time in words. */
export interface Length {
  count: number;
  unit: Unit;
}

/** The spellings of a unit. A single `m` means a minute, as in the durations of configuration files and logs. */
const UNIT_NAMES: readonly [Unit, count: number, names: string][] = [
  ['second', 1, 'seconds second secs sec s'],
  ['minute', 1, 'minutes minute mins min m'],
  ['hour', 1, 'hours hour hrs hr h'],
  ['day', 1, 'days day d'],
  ['week', 1, 'weeks week wks wk w'],
  ['week', 2, 'fortnights fortnight'],
  ['month', 1, 'months month mths mth mos mo'],
  ['quarter', 1, 'quarters quarter qtrs qtr'],
  ['year', 1, 'years year yrs yr y'],
  ['year', 10, 'decades decade'],
];
const UNITS: ReadonlyMap<string, Length> = new Map(
  UNIT_NAMES.flatMap(([unit, count, names]) =>
    names.split(' ').map((name): [string, Length] => [name, { unit, count }]),
  ),
);
const UNIT = `(?<![a-z])(${[...UNITS.keys()].join('|')})(?![a-z])`;

const SMALL_NUMBERS =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen`.split(/\s+/);
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
/** Vague words, with the numbers that chrono-node assigns to them. */
const VAGUE_NUMBERS: readonly [string, number][] = [
  ['couple', 2],
  ['few', 3],
  ['several', 7],
];
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL_NUMBERS.map((word, number): [string, number] => [word, number]),
  ...TENS.flatMap((ten, index) =>
    SMALL_NUMBERS.slice(0, 10).map((one, ones): [string, number] => [
      ones === 0 ? ten : `${ten} ${one}`,
      20 + 10 * index + ones,
    ]),
  ),
  ...[...VAGUE_NUMBERS, ['hundred', 100] as const].flatMap(([word, number]): [string, number][] => [
    [word, number],
    [`a ${word}`, number],
  ]),
  ['one hundred', 100],
  ['a', 1],
  ['an', 1],
]);

const ROLLING = /^(?:(?:the|this|these) )?(past|last|previous|next) (.+)$/;
const PART = new RegExp(`^(.*?) ?${UNIT}\\.?`);
const BETWEEN_PARTS = /^,? ?(?:and )?/;
const ENDS_WITH_UNIT = new RegExp(`${UNIT}$`);
/** Matches " hour and a half" at the end of "an hour and a half", which means "one and a half hours". */
const HALF_AFTER_UNIT = new RegExp(` ?${UNIT} and a half$`);
const HALF = /^(?:a )?half(?: an?)?$/;
const AND_A_HALF = /^(?:(.+) )?and a half$/;
/** Matches the hyphen in "twenty-five", "half-hour" and "7-day", but not in the range "2-3". */
const HYPHEN = /(?<=[a-z\d])-(?=[a-z])/g;

/**
 * Reads a span that begins or ends now.
 *
 * @param text in lower case, single-spaced
 * @returns undefined when the text is not such a span
 */
export function readRollingSpan(text: string, { nowMs, zone }: Now): Span | undefined {
  const [, direction, said = ''] = ROLLING.exec(text) ?? [];
  const lengths = readLengths(said);
  if (!lengths) return undefined;
  const sign = direction === 'next' ? 1 : -1;
  const farMs = lengths.reduce((instantMs, { unit, count }) => shift(instantMs, unit, sign * count, zone), nowMs);
  return sign > 0 ? { fromMs: nowMs, toMs: farMs } : { fromMs: farMs, toMs: nowMs };
}

/**
 * Whether a text has the form of a span that begins or ends now, even if the span cannot be read. Such a text must not
 * be interpreted by another reader.
 */
export function isRollingSpanPhrase(text: string): boolean {
  const said = ROLLING.exec(text)?.[2];
  return said !== undefined && ENDS_WITH_UNIT.test(said);
}

/** Reads consecutive lengths, as in "2h", "half a day" and "1 year and 2 months". */
export function readLengths(said: string): Length[] | undefined {
  let rest = said.replace(HYPHEN, ' ').replace(HALF_AFTER_UNIT, ' and a half $1').trimStart();
  const lengths: Length[] = [];
  while (rest !== '') {
    const [whole, amount = '', name = ''] = PART.exec(rest) ?? [];
    const unit = UNITS.get(name);
    // The number one may be omitted in the first length, as in "past week", but not in a later length.
    const count = readAmount(amount === '' && lengths.length === 0 ? 'one' : amount);
    if (whole === undefined || !unit || !count) return undefined;
    lengths.push({ unit: unit.unit, count: count * unit.count });
    rest = rest.slice(whole.length).replace(BETWEEN_PARTS, '');
  }
  return lengths.length > 0 ? lengths : undefined;
}

function readAmount(text: string): number | undefined {
  if (HALF.test(text)) return 0.5;
  const [half, whole = 'one'] = AND_A_HALF.exec(text) ?? [];
  if (half === undefined) return readNumber(text);
  const number = readNumber(whole);
  return number === undefined ? undefined : number + 0.5;
}

function readNumber(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return NUMBER_WORDS.get(text.replace(/ of$/, ''));
}
