/** Memories over time, and what was believed at an instant. */
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RecallResult } from '../../api/recall-result.js';
import { html } from '../html.js';
import { keepInAddress } from '../shell/route.js';
import { messageOf, useShell } from '../shell/shell.js';
import { minuteOf } from '../shell/times.js';
import { useSettled } from '../shell/use-request.js';
import { AsOf } from './as-of.js';
import { ChainRow } from './chain-row.js';
import { joined, loadPage, type Selection } from './load-spans.js';
import { changesOf, isBelievedAt, periodOf, toChains, toSpan } from './spans.js';

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
      error => isCurrent && setLoaded({ error: messageOf(error) }),
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
      setLoaded(before => ({ ...before, error: messageOf(error) }));
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
