/** Memories over time, and what was believed at an instant. */
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RecallResult } from '../../api/recall-result.js';
import type { EngraphClient } from '../../client/client.js';
import { html } from '../html.js';
import { hrefOfMemory, keepInAddress, useKeys } from '../shell/route.js';
import { failureMessage, useSettled, useShell } from '../shell/shell.js';
import { dayOf, localValue, minuteOf } from '../shell/times.js';
import {
  type Chain,
  changesOf,
  isBelievedAt,
  type Period,
  periodOf,
  placeIn,
  type TimeSpan,
  toChains,
  toSpan,
} from './spans.js';

const TYPING_PAUSE_MS = 250;

export function TimelineView({ parameters }: { parameters: URLSearchParams }): VNode {
  const [fields, setFields] = useState<Selection>(() => ({
    query: parameters.get('query') ?? '',
    tags: listOf(parameters.get('tags') ?? ''),
    end: parameters.get('end') ?? '',
  }));
  const asked = parameters.get('at');
  const [chosenMs, setChosen] = useState<number | undefined>(() => readInstant(asked));
  const settled = useSettled(fields, TYPING_PAUSE_MS);
  const address = toParameters(settled, chosenMs).toString();
  const opened = useRef(address);
  useEffect(() => {
    if (address !== opened.current) keepInAddress('timeline', new URLSearchParams(address));
  }, [address]);
  const { results, error, loadEarlier } = useSpans(settled);
  return html`<h1 class="hidden">Timeline</h1>
    <${SelectionFields} fields=${fields} onFields=${setFields} />
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${results && html`<${Timeline} results=${results} chosenMs=${chosenMs} onChosen=${setChosen} />`}
    ${loadEarlier && html`<p class="actions"><button type="button" onClick=${loadEarlier}>Load earlier memories</button></p>`}`;
}

function useSpans(selection: Selection) {
  const { service, revision } = useShell();
  const [loaded, setLoaded] = useState<{ results?: RecallResult[]; earlier?: string | undefined; error?: string }>({});
  useEffect(() => {
    let isCurrent = true;
    loadPage(service, selection).then(
      page => isCurrent && setLoaded(page),
      error => isCurrent && setLoaded({ error: failureMessage(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [service, selection, revision]);
  const { earlier } = loaded;
  const loadEarlier = async () => {
    try {
      const page = await loadPage(service, selection, earlier);
      setLoaded(({ results = [] }) => ({ results: joined(results, page.results), earlier: page.earlier }));
    } catch (error) {
      setLoaded(before => ({ ...before, error: failureMessage(error) }));
    }
  };
  return { ...loaded, loadEarlier: earlier === undefined ? undefined : () => void loadEarlier() };
}

interface SelectionFieldsProps {
  fields: Selection;
  onFields: (fields: Selection) => void;
}

function SelectionFields({ fields, onFields }: SelectionFieldsProps): VNode {
  const readValue = (event: Event) => (event.target as HTMLInputElement).value;
  return html`<search class="fields">
    <label>About <input type="search" id="query" value=${fields.query} placeholder="everything"
      onInput=${(event: Event) => onFields({ ...fields, query: readValue(event) })} /></label>
    <label>Tags <input type="text" value=${fields.tags.join(', ')} placeholder="project:shop"
      onChange=${(event: Event) => onFields({ ...fields, tags: listOf(readValue(event)) })} /></label>
    <label>Created until <input type="text" value=${fields.end} placeholder="2026-05-31 or last week"
      onChange=${(event: Event) => onFields({ ...fields, end: readValue(event).trim() })} /></label>
  </search>`;
}

interface TimelineProps {
  results: readonly RecallResult[];
  /** Undefined means the present. */
  chosenMs: number | undefined;
  onChosen: (instantMs: number | undefined) => void;
}

function Timeline({ results, chosenMs, onChosen }: TimelineProps): VNode {
  const [showsAll, setShowsAll] = useState(true);
  const { nowMs, spans, chains, changes, period } = useMemo(() => {
    const allSpans = results.map(toSpan);
    const instants = changesOf(allSpans);
    const now = Date.now();
    return {
      nowMs: now,
      spans: allSpans,
      chains: toChains(allSpans),
      changes: instants,
      period: periodOf(instants, now),
    };
  }, [results]);
  if (results.length === 0) return html`<${NoSpans} />`;
  const asOfMs = Math.min(Math.max(chosenMs ?? nowMs, period.startMs), period.endMs);
  const believed = spans.filter(span => isBelievedAt(span, asOfMs)).length;
  const shown = showsAll ? chains : chains.filter(chain => chain.spans.some(span => isBelievedAt(span, asOfMs)));
  const choose = (instantMs: number) => onChosen(instantMs === nowMs ? undefined : instantMs);
  return html`<${AsOf} period=${period} changes=${changes} asOfMs=${asOfMs} nowMs=${nowMs} onAsOf=${choose} />
    <p role="status" class="meta">On ${minuteOf(asOfMs)} the assistant believed ${believed} of these ${spans.length} memories.</p>
    <label class="check"><input type="checkbox" checked=${!showsAll} onChange=${() => setShowsAll(!showsAll)} /> Show only these</label>
    <ul class="chains">${shown.map(
      chain => html`<${ChainRow} key=${chain.id} chain=${chain} period=${period} asOfMs=${asOfMs} />`,
    )}</ul>`;
}

function NoSpans(): VNode {
  return html`<div class="empty"><h2>No memories in this time</h2><p>The timeline shows each memory from the time it is about until
    another one replaces it, it expires, or it is archived. Ask for other words or tags, or clear the fields above.</p></div>`;
}

function readInstant(text: string | null): number | undefined {
  const instantMs = Date.parse(text ?? '');
  return Number.isNaN(instantMs) ? undefined : instantMs;
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
}

function toParameters({ query, tags, end }: Selection, atMs: number | undefined): URLSearchParams {
  return new URLSearchParams({
    ...(query !== '' && { query }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(end !== '' && { end }),
    ...(atMs !== undefined && { at: new Date(atMs).toISOString() }),
  });
}

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

function AsOf({ period, changes, asOfMs, nowMs, onAsOf }: AsOfProps): VNode {
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

const SCALE = 1000;
/** Minimum width of a span, so that a short span is visible. */
const WIDTH_MIN = 6;

interface ChainRowProps {
  chain: Chain;
  period: Period;
  asOfMs: number;
}

function ChainRow({ chain, period, asOfMs }: ChainRowProps): VNode {
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
      const before = spans[index] as TimeSpan;
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

function wordsOf({ beginMs, endMs, endedBy }: TimeSpan): VNode {
  const begin = html`<time datetime=${new Date(beginMs).toISOString()} title=${new Date(beginMs).toISOString()}>${minuteOf(beginMs)}</time>`;
  if (endedBy === undefined) return html`<span>since ${begin}</span>`;
  const iso = new Date(endMs).toISOString();
  return html`<span>${begin} until <time datetime=${iso} title=${iso}>${minuteOf(endMs)}</time>, ${ENDINGS[endedBy]}</span>`;
}

/** Number of memories in a page. By default, a recall returns at most this many (`RECALL_MAX_LIMIT`). */
const PAGE = 100;
/** Maximum number of relations read for each memory, to find the memory that replaced it. */
const RELATIONS = 20;

interface Selection {
  tags: string[];
  query: string;
  /** Only memories created until this time are read. ISO 8601, or words such as "last week". */
  end: string;
}

export interface SpanPage {
  results: RecallResult[];
  /** The value of `end` for the next, earlier page. Undefined when no earlier memories exist. */
  earlier?: string;
}

/** @param end replaces `selection.end` for earlier pages */
async function loadPage(service: EngraphClient, selection: Selection, end?: string): Promise<SpanPage> {
  const until = end ?? selection.end;
  const { results } = await service.recall({
    limit: PAGE,
    sort: 'time_desc',
    state_mode: 'history',
    relation_limit: RELATIONS,
    ...(selection.query !== '' && { query: selection.query }),
    ...(selection.tags.length > 0 && { tags: selection.tags }),
    ...(until !== '' && { end: until }),
  });
  const oldest = results.at(-1)?.memory.timestamp;
  if (results.length < PAGE || oldest === undefined) return { results };
  // A recall cannot page within one instant. If a whole page has the same time, the next page begins before that time.
  const isStuck = oldest === end;
  return { results, earlier: isStuck ? new Date(Date.parse(oldest) - 1).toISOString() : oldest };
}

/** Joins two pages without duplicates. The next page contains memories of the last instant of the page before. */
function joined(before: readonly RecallResult[], more: readonly RecallResult[]): RecallResult[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...more.filter(({ id }) => !known.has(id))];
}
