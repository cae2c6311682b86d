/** The state of the service: health, waiting work, models, sizes, and figures over the last minutes. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { HealthAnswer, WorkStatusAnswer } from '../../client/client.js';
import { type Check, probeChecks, storesCheck } from '../../client/self-check.js';
import { html } from '../html.js';
import { failureMessage, useShell } from '../shell/shell.js';
import { Time } from '../shell/times.js';

const PERIOD_MS = 5_000;
/** Five minutes. */
const READINGS_MAX = 60;

interface State {
  health?: HealthAnswer;
  work?: WorkStatusAnswer;
  readings: Reading[];
  error?: string;
}

export function StateView(): VNode {
  const { health, work, readings, error } = useServiceState();
  return html`<h1>State</h1>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${health && html`<${Health} health=${health} />`}
    <${Checks} />
    <section><h2>Figures of the last minutes</h2>
      <ul class="figures">${toSeries(readings).map(series => html`<${Sparkline} series=${series} />`)}</ul>
      <p class="meta">Read every five seconds while this page is in front.</p></section>
    ${health && work && html`<${Facts} health=${health} work=${work} />`}`;
}

/** Reads the state of the service every `PERIOD_MS`, but not while the page is hidden. */
function useServiceState(): State {
  const { service } = useShell();
  const [state, setState] = useState<State>({ readings: [] });
  useEffect(() => {
    let isOpen = true;
    const look = async () => {
      if (document.hidden) return;
      try {
        const [health, work, text] = await Promise.all([service.health(), service.workStatus(), service.metrics()]);
        const reading = { atMs: Date.now(), metrics: readMetrics(text) };
        if (isOpen)
          setState(({ readings }) => ({ health, work, readings: [...readings, reading].slice(-READINGS_MAX) }));
      } catch (error) {
        if (isOpen) setState(before => ({ ...before, error: failureMessage(error) }));
      }
    };
    void look();
    const timer = setInterval(() => void look(), PERIOD_MS);
    return () => {
      isOpen = false;
      clearInterval(timer);
    };
  }, [service]);
  return state;
}

function Health({ health }: { health: HealthAnswer }): VNode {
  const { status, reasons = [], memory_count, vector_count, sync_status } = health;
  return html`<section><h2>Health</h2>
    <p><span class=${status === 'healthy' ? 'badge good' : 'badge warn'}>${status}</span>
      ${' '}memories: ${memory_count ?? 'unknown'}, vectors: ${vector_count ?? 'unknown'}, stores: ${sync_status.replaceAll('_', ' ')}</p>
    ${reasons.length > 0 && html`<ul>${reasons.map(reason => html`<li>${reason}</li>`)}</ul>`}</section>`;
}

function Facts({ health, work }: { health: HealthAnswer; work: WorkStatusAnswer }): VNode {
  const { embedding, enrichment, storage, backend, vector_dimensions: sizes, consolidation } = health;
  const facts: [string, unknown][] = [
    ['Memories kept in', backend.graph],
    ['Vectors kept in', backend.vectors],
    ['Model of vectors', `${backend.embedding}: ${backend.embedding_reason}`],
    ['Embedding fails', backend.embedding_error],
    ['Length of vectors', sizes.effective ?? sizes.configured],
    ['Waiting for a vector', `${embedding.pending}, the oldest for ${embedding.behind_seconds} s at most`],
    ['Waiting for enrichment', `${enrichment.pending}, the oldest for ${enrichment.behind_seconds} s at most`],
    ['Given up', `${embedding.failed} vectors, ${enrichment.failed} enrichments`],
    ['Last failure of enrichment', work.stats.last_error],
    ['Language model', work.language_model?.model ?? 'none'],
    ['Proposals', consolidation.proposals ?? 'unknown'],
    ['Problems of consolidation', consolidation.problems?.join(' ')],
    ['Last write', storage.last_write && html`<${Time} at=${storage.last_write.at} exact />`],
    ['Database file', storage.integrity],
    ['Free on the disk', storage.disk_free_bytes !== null && `${(storage.disk_free_bytes / 1e9).toFixed(1)} GB`],
  ];
  return html`<section><h2>Stores, models and queues</h2><dl class="facts">${facts
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}

interface Outcome {
  name: string;
  works: boolean;
  text: string;
}

/** The checks run when the person presses the button, because they store a probe and delete it again. */
function Checks(): VNode {
  const { service, settings } = useShell();
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    setOutcomes([]);
    const checks = [storesCheck(service), ...(settings.isReadOnly ? [] : probeChecks(service))];
    for (const check of checks) {
      const outcome = await outcomeOf(check);
      setOutcomes(before => [...before, outcome]);
    }
    setRunning(false);
  };
  return html`<section><h2>Checks</h2>
    <p class="meta">${
      settings.isReadOnly
        ? 'Checks the stores. The other checks of engraph doctor store a probe, which a read-only memory refuses.'
        : 'Stores a probe, recalls it by keyword and by vector, and deletes it, as engraph doctor does.'
    }</p>
    <div role="status"><ul class="checks">${outcomes.map(
      ({ name, works, text }) =>
        html`<li key=${name}><span class=${works ? 'badge good' : 'badge warn'}>${works ? 'works' : 'fails'}</span> <b>${name}</b>: ${text}</li>`,
    )}</ul></div>
    <p class="actions"><button type="button" disabled=${isRunning} onClick=${() => void run()}>Run the checks</button></p></section>`;
}

async function outcomeOf({ name, run }: Check): Promise<Outcome> {
  try {
    return { name, works: true, text: await run() };
  } catch (error) {
    return { name, works: false, text: failureMessage(error) };
  }
}

/** The sum of all samples of each metric, by its name. */
export function readMetrics(text: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const name = line.slice(0, Math.max(0, line.search(/[{ ]/)));
    // A label may contain a space, so the value is the text after the last space.
    const value = Number(line.slice(line.lastIndexOf(' ') + 1));
    if (name !== '' && !Number.isNaN(value)) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return sums;
}

const WIDTH = 120;
const HEIGHT = 28;

function Sparkline({ series: { label, unit, values } }: { series: Series }): VNode {
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

interface Reading {
  atMs: number;
  metrics: ReadonlyMap<string, number>;
}

interface Series {
  label: string;
  unit: string;
  /** Oldest first. */
  values: number[];
}

interface Figure {
  label: string;
  unit: string;
  metric: string;
  /** A counter is shown as its increase per second. */
  isCounter?: boolean;
  /** Factor that converts the unit of the metric to the shown unit. */
  scale?: number;
}

const FIGURES: readonly Figure[] = [
  { label: 'Memories', unit: '', metric: 'engraph_memories' },
  { label: 'Waiting work', unit: '', metric: 'engraph_queue_depth' },
  { label: 'Requests', unit: '/s', metric: 'engraph_http_requests_total', isCounter: true },
  { label: 'Recalls', unit: '/s', metric: 'engraph_recalls_total', isCounter: true },
  { label: 'Tool calls', unit: '/s', metric: 'engraph_mcp_tool_calls_total', isCounter: true },
  { label: 'Store failures', unit: '/s', metric: 'engraph_store_failures_total', isCounter: true },
  { label: 'Processor', unit: '%', metric: 'process_cpu_seconds_total', isCounter: true, scale: 100 },
  { label: 'Main memory', unit: 'MB', metric: 'process_resident_memory_bytes', scale: 1e-6 },
];

/** Figures without a value are left out. */
export function toSeries(readings: readonly Reading[]): Series[] {
  return FIGURES.flatMap(figure => {
    const values = figure.isCounter ? growth(readings, figure) : levels(readings, figure);
    return values.length === 0 ? [] : [{ label: figure.label, unit: figure.unit, values }];
  });
}

function levels(readings: readonly Reading[], { metric, scale = 1 }: Figure): number[] {
  return readings.flatMap(({ metrics }) => {
    const value = metrics.get(metric);
    return value === undefined ? [] : [value * scale];
  });
}

function growth(readings: readonly Reading[], { metric, scale = 1 }: Figure): number[] {
  return readings.slice(1).flatMap(({ atMs, metrics }, index) => {
    const before = readings[index];
    const [from, to] = [before?.metrics.get(metric), metrics.get(metric)];
    if (before === undefined || from === undefined || to === undefined || atMs <= before.atMs) return [];
    // Counters begin at 0 again when the service restarts, so the difference can be negative.
    return [(Math.max(0, to - from) * scale * 1000) / (atMs - before.atMs)];
  });
}
