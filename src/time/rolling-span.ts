/** Spans that end, or begin, now: "past 2 weeks", "last 1.5 hours", "next day", "past 1 year and 2 months". */
import { type Span, shift, type Unit } from './calendar.js';

/** A length of time as said. */
export interface Length {
  count: number;
  unit: Unit;
}

/** The ways a unit is written. A lone `m` is a minute, as in durations of configuration files and logs. */
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
/** What says no exact number means the one that chrono-node takes it for. */
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
/** "an hour and a half" is "one and a half hours". */
const HALF_AFTER_UNIT = new RegExp(` ?${UNIT} and a half$`);
const HALF = /^(?:a )?half(?: an?)?$/;
const AND_A_HALF = /^(?:(.+) )?and a half$/;
/** "twenty-five", "half-hour", "7-day"; not "2-3", which is no number. */
const HYPHEN = /(?<=[a-z\d])-(?=[a-z])/g;

/**
 * Reads a span whose one end is now.
 *
 * @param text in lower case, single-spaced
 * @returns undefined when it is none
 */
export function readRollingSpan(text: string, nowMs: number): Span | undefined {
  const [, direction, said = ''] = ROLLING.exec(text) ?? [];
  const lengths = readLengths(said);
  if (!lengths) return undefined;
  const sign = direction === 'next' ? 1 : -1;
  const farMs = lengths.reduce((instantMs, { unit, count }) => shift(instantMs, unit, sign * count), nowMs);
  return sign > 0 ? { fromMs: nowMs, toMs: farMs } : { fromMs: farMs, toMs: nowMs };
}

/** Whether text says a span from now, readable or not; nothing else may make something of it. */
export function saysRollingSpan(text: string): boolean {
  const said = ROLLING.exec(text)?.[2];
  return said !== undefined && ENDS_WITH_UNIT.test(said);
}

/** "2h", "half a day", "1 year and 2 months": what follows one another is added. */
export function readLengths(said: string): Length[] | undefined {
  let rest = said.replace(HYPHEN, ' ').replace(HALF_AFTER_UNIT, ' and a half $1').trimStart();
  const lengths: Length[] = [];
  while (rest !== '') {
    const [whole, amount = '', name = ''] = PART.exec(rest) ?? [];
    const unit = UNITS.get(name);
    // "past week" leaves the one out; after another length nobody does.
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
