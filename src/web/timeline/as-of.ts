/** Controls for the instant that the timeline shows: a slider, a date field, and buttons for the changes. */
import type { VNode } from 'preact';
import { html } from '../html.js';
import { useKeys } from '../shell/keys.js';
import { dayOf, localValue, minuteOf } from '../shell/times.js';
import type { Period } from './spans.js';

const STEPS = 500;
const MINUTE_MS = 60_000;
const MARKS = [0, 0.25, 0.5, 0.75, 1];

interface AsOfProps {
  period: Period;
  changes: readonly number[];
  asOfMs: number;
  nowMs: number;
  onAsOf: (instantMs: number) => void;
}

export function AsOf({ period, changes, asOfMs, nowMs, onAsOf }: AsOfProps): VNode {
  const { startMs, endMs } = period;
  const stepMs = Math.max(MINUTE_MS, Math.round((endMs - startMs) / STEPS));
  const before = changes.findLast(instant => instant < asOfMs);
  const after = changes.find(instant => instant > asOfMs);
  const goBefore = () => before !== undefined && onAsOf(before);
  const goAfter = () => after !== undefined && onAsOf(after);
  useKeys({ '[': goBefore, ']': goAfter });
  const slide = (event: Event) =>
    onAsOf(Math.min(startMs + Number((event.target as HTMLInputElement).value) * stepMs, endMs));
  const pick = (event: Event) => {
    const picked = Date.parse((event.target as HTMLInputElement).value);
    if (!Number.isNaN(picked)) onAsOf(picked);
  };
  return html`<fieldset class="as-of"><legend>What did it believe then?</legend>
    <p class="actions">
      <label>As of <input type="datetime-local" value=${localValue(asOfMs)} onChange=${pick} /></label>
      <button type="button" disabled=${before === undefined} onClick=${goBefore}>← Change before</button>
      <button type="button" disabled=${after === undefined} onClick=${goAfter}>Change after →</button>
      <button type="button" disabled=${asOfMs === nowMs} onClick=${() => onAsOf(nowMs)}>Now</button>
    </p>
    <input type="range" aria-label="As of" min="0" max=${Math.ceil((endMs - startMs) / stepMs)} step="1"
      value=${Math.round((asOfMs - startMs) / stepMs)} aria-valuetext=${minuteOf(asOfMs)} onInput=${slide} />
    <p class="scale" aria-hidden="true">${MARKS.map(share => html`<span>${dayOf(startMs + (endMs - startMs) * share)}</span>`)}</p>
  </fieldset>`;
}
