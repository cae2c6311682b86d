/** Recognises dates in statements, and computes when a date ends. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;
const DAY_OR_YEAR = /^(?:\d{1,2}(?:st|nd|rd|th)?|\d{4})$/;
const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/;
const CLOCK = /^\d{1,2}:\d{2}$/;
const LAST_DAY = 31;

const MONTHS = `january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept
october oct|november nov|december dec`;
const MONTH_OF = new Map(
  MONTHS.split(/[|\n]/).flatMap((names, index) => names.split(' ').map(name => [name, index] as const)),
);

export const isClock = (text: string) => CLOCK.test(text);
export const isWeekday = (text: string) => WEEKDAY.test(text);
export const isMonth = (text: string) => MONTH_OF.has(text);
export const isIsoDate = (text: string) => ISO_DATE.test(text);
export const isDayOrYear = (text: string) => DAY_OR_YEAR.test(text);

/**
 * Returns the end of the day or month that the words name, in UTC. Words without a year mean the next such date after
 * the note was written.
 *
 * @returns undefined if the words contain neither an ISO date nor a month
 */
export function endOfDate(texts: readonly string[], notedMs: number): number | undefined {
  const iso = texts.find(isIsoDate);
  if (iso !== undefined) return Date.parse(`${ISO_DATE.exec(iso)?.[0]}T23:59:59Z`);
  const month = texts.map(text => MONTH_OF.get(text)).find(each => each !== undefined);
  if (month === undefined) return undefined;
  const numbers = texts.map(text => Number.parseInt(text, 10));
  const day = numbers.find(number => number <= LAST_DAY);
  const endIn = (year: number) => (day === undefined ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, day + 1));
  const year = numbers.find(number => number > LAST_DAY);
  if (year !== undefined) return endIn(year);
  const noted = new Date(notedMs).getUTCFullYear();
  return endIn(endIn(noted) > notedMs ? noted : noted + 1);
}
