/** Detects dates that Engraph may misread, because the author of the text may mean a different day. */
import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { dateParser } from './date-parser.js';

/** Names that chrono-node gives to dates such as "3/4/2024" and "3.4.2024", and to dates relative to now. */
const NUMERIC = 'parser/SlashDateFormatParser';
const RELATIVE = 'result/relativeDate';
/** Patterns of texts that may contain a numeric date or a time zone. Other texts need not be parsed. */
const MAY_BE_NUMERIC = /\d[./-]\d/;
const MAY_HAVE_ZONE = /[+-]\d|[a-z]{3}/i;
const MONTHS_PER_YEAR = 12;

/**
 * Whether a text contains a numeric date that means one day if the month comes first, and another day if the day comes
 * first.
 */
export function hasAmbiguousDate(text: string): boolean {
  return MAY_BE_NUMERIC.test(text) && partsOf(dateParser().parse(text)).some(isAmbiguous);
}

/** Whether a text contains a date for which `isDayWithZone` is true. */
export function hasDayWithZone(text: string): boolean {
  return MAY_HAVE_ZONE.test(text) && dateParser().parse(text).some(isDayWithZone);
}

/**
 * Whether a date names a time zone but no hour. Such a date is not a day in UTC. Relative dates such as "yesterday" are
 * not checked.
 */
export function isDayWithZone(result: ParsedResult): boolean {
  return partsOf([result]).some(
    part => part.isCertain('timezoneOffset') && !part.isCertain('hour') && !part.tags().has(RELATIVE),
  );
}

function isAmbiguous(part: ParsedComponents): boolean {
  const [day, month] = [part.get('day') ?? 0, part.get('month') ?? 0];
  return part.tags().has(NUMERIC) && day <= MONTHS_PER_YEAR && day !== month;
}

function partsOf(results: readonly ParsedResult[]): ParsedComponents[] {
  return results.flatMap(({ start, end }) => (end ? [start, end] : [start]));
}
