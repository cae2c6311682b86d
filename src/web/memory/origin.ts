/** The origin of a memory: its times, its vector, its metadata and other properties. */
import type { VNode } from 'preact';
import type { MemoryAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { Time } from '../shell/times.js';

export function Origin({ memory }: { memory: MemoryAnswer }): VNode {
  const { t_valid, t_invalid, archived_at, archived_reason, summary, embedded_by, relevance_score, metadata } = memory;
  const facts: [string, unknown][] = [
    ['Created', html`<${Time} at=${memory.timestamp} exact />`],
    ['Changed', html`<${Time} at=${memory.updated_at} exact />`],
    ['Valid from', t_valid && html`<${Time} at=${t_valid} exact />`],
    ['Valid until', t_invalid && html`<${Time} at=${t_invalid} exact />`],
    [
      'Archived',
      memory.archived && (archived_at ? html`<${Time} at=${archived_at} exact /> ${archived_reason}` : 'yes'),
    ],
    ['Summary', summary],
    ['Confidence in its type', memory.confidence.toFixed(2)],
    ['Relevance after decay', relevance_score?.toFixed(2)],
    ['Vector made by', embedded_by ?? 'none yet'],
    ['Enriched', memory.enriched ? 'yes' : 'not yet'],
    ...Object.entries(metadata).map(([name, value]): [string, unknown] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    ['Id', html`<code>${memory.id}</code>`],
  ];
  return html`<section><h2>Origin</h2><dl class="facts">${facts
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}
