/** Shows times in the time zone of the browser. */
import type { VNode } from 'preact';
import { html } from '../html.js';

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const MINUTE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export function dayOf(instant: number | string): string {
  return DAY.format(new Date(instant));
}

export function minuteOf(instant: number | string): string {
  return MINUTE.format(new Date(instant));
}

/** A time whose tooltip shows the ISO 8601 form. */
export function Time({ at, exact = false }: { at: string; exact?: boolean }): VNode {
  const isKnown = !Number.isNaN(Date.parse(at));
  return html`<time datetime=${at} title=${at}>${isKnown ? (exact ? minuteOf(at) : dayOf(at)) : at}</time>`;
}

/** The value of a `datetime-local` field: the local time without a time zone. */
export function localValue(instantMs: number): string {
  const date = new Date(instantMs);
  return new Date(instantMs - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
