/** One row of the timeline: memories that replaced each other, as spans on a time axis. */
import type { VNode } from 'preact';
import { html } from '../html.js';
import { hrefOfMemory } from '../shell/route.js';
import { dayOf, minuteOf } from '../shell/times.js';
import { type Chain, isBelievedAt, type Period, placeIn, type Span } from './spans.js';

const SCALE = 1000;
/** Minimum width of a span, so that a short span is visible. */
const WIDTH_MIN = 6;

interface ChainRowProps {
  chain: Chain;
  period: Period;
  asOfMs: number;
}

export function ChainRow({ chain, period, asOfMs }: ChainRowProps): VNode {
  const believed = chain.spans.find(span => isBelievedAt(span, asOfMs));
  const shown = believed ?? chain.spans.at(-1);
  if (shown === undefined) return html`<li></li>`;
  const others = chain.spans.filter(span => span !== shown);
  return html`<li class=${believed ? 'chain' : 'chain other'}>
    <div class="row">
      <a class="content" data-item href=${hrefOfMemory(shown.id)}>${shown.content}</a>
      ${!believed && html`<span class="badge">${shown.beginMs > asOfMs ? 'not yet known' : 'no longer believed'}</span>`}
    </div>
    <${Spans} chain=${chain} period=${period} asOfMs=${asOfMs} />
    <p class="meta">${wordsOf(shown)}${others.length > 0 && ' · '}${others.map(
      (span, index) =>
        html`${index > 0 && ', '}<a href=${hrefOfMemory(span.id)} title=${span.content}>${
          span.beginMs < shown.beginMs ? 'before' : 'after'
        }: ${dayOf(span.beginMs)}</a>`,
    )}</p>
  </li>`;
}

function Spans({ chain: { spans }, period, asOfMs }: ChainRowProps): VNode {
  const x = (instantMs: number) => placeIn(period, instantMs) * SCALE;
  const asOf = x(asOfMs);
  return html`<svg class="spans" viewBox=${`0 0 ${SCALE} 16`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <line class="track" x1="0" y1="8" x2=${SCALE} y2="8" />
    ${spans.slice(1).map((span, index) => {
      const before = spans[index] as Span;
      return html`<line class="succession" x1=${x(before.beginMs)} y1="8" x2=${x(span.beginMs)} y2="8" />`;
    })}
    ${spans.map(span => {
      const start = Math.min(x(span.beginMs), SCALE - WIDTH_MIN);
      const width = Math.max(x(Math.min(span.endMs, period.endMs)) - start, WIDTH_MIN);
      const state = isBelievedAt(span, asOfMs) ? 'believed' : 'ended';
      return html`<rect class=${`span ${state} ${span.type}`} x=${start} y="3" width=${width} height="10" />`;
    })}
    ${spans.slice(1).map(span => html`<line class="seam" x1=${x(span.beginMs)} y1="0" x2=${x(span.beginMs)} y2="16" />`)}
    <line class="as-of" x1=${asOf} y1="0" x2=${asOf} y2="16" />
  </svg>`;
}

const ENDINGS = { superseded: 'replaced', expired: 'expired', archived: 'archived' };

function wordsOf({ beginMs, endMs, endedBy }: Span): VNode {
  const begin = html`<time datetime=${new Date(beginMs).toISOString()} title=${new Date(beginMs).toISOString()}>${minuteOf(beginMs)}</time>`;
  if (endedBy === undefined) return html`<span>since ${begin}</span>`;
  const iso = new Date(endMs).toISOString();
  return html`<span>${begin} until <time datetime=${iso} title=${iso}>${minuteOf(endMs)}</time>, ${ENDINGS[endedBy]}</span>`;
}
