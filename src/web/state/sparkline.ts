/** A figure over time as a small line, with its current value as text. */
import type { VNode } from 'preact';
import { html } from '../html.js';
import type { Series } from './series.js';

const WIDTH = 120;
const HEIGHT = 28;

export function Sparkline({ series: { label, unit, values } }: { series: Series }): VNode {
  const top = Math.max(...values, Number.MIN_VALUE);
  const bottom = Math.min(0, ...values);
  const x = (index: number) => (values.length === 1 ? WIDTH : (index / (values.length - 1)) * WIDTH);
  const y = (value: number) => HEIGHT - 2 - ((value - bottom) / (top - bottom)) * (HEIGHT - 4);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const now = format(values.at(-1) ?? 0);
  return html`<li class="figure"><span>${label}</span> <strong>${now} ${unit}</strong>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img"
      aria-label=${`${label}: now ${now} ${unit}, between ${format(Math.min(...values))} and ${format(Math.max(...values))}`}>
      <polyline points=${points} /></svg></li>`;
}

/** Formats values below 10 with two significant digits, and other values as whole numbers. */
export function format(value: number): string {
  const digits = value < 10 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 };
  return new Intl.NumberFormat(undefined, digits).format(value);
}
