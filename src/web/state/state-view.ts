/** The state of the service: health, waiting work, models, sizes, and figures over the last minutes. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { HealthAnswer, WorkStatusAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { messageOf, useShell } from '../shell/shell.js';
import { Time } from '../shell/times.js';
import { Checks } from './checks.js';
import { readMetrics } from './metrics-text.js';
import { type Reading, toSeries } from './series.js';
import { Sparkline } from './sparkline.js';

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
        if (isOpen) setState(before => ({ ...before, error: messageOf(error) }));
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
