/**
 * The relations of a memory, as a picture and as a list, and its origin: its times, its vector, its metadata and other
 * properties.
 */
import type { VNode } from 'preact';
import type { MemoryAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { hrefOfMemory, navigate } from '../shell/route.js';
import { Time } from '../shell/times.js';

type Relation = MemoryAnswer['relations'][number];

export function Relations({ relations }: { relations: readonly Relation[] }): VNode {
  if (relations.length === 0) {
    return html`<section><h2>Relations</h2><p class="meta">None yet. Enrichment finds similar memories, and an assistant can
    relate two memories with the tool <code>associate_memories</code>.</p></section>`;
  }
  const neighbours = new Set(relations.map(({ memory }) => memory.id)).size;
  const left = neighbours - NEIGHBOURS_MAX;
  return html`<section><h2>Relations (${relations.length})</h2>
    <${EgoGraph} relations=${relations} />
    ${left > 0 && html`<p class="meta">The picture leaves out ${left} neighbours. The list has all.</p>`}
    <${RelationList} relations=${relations} /></section>`;
}

export function RelationList({ relations }: { relations: readonly Relation[] }): VNode {
  return html`<ul class="relations">${relations.map(relation => html`<${Entry} relation=${relation} />`)}</ul>`;
}

function Entry({ relation }: { relation: Relation }): VNode {
  const { type, direction, strength, memory, reason } = relation;
  return html`<li><span class="badge">${direction === 'outgoing' ? `${type} →` : `← ${type}`}</span>
    ${' '}<a data-item href=${hrefOfMemory(memory.id)}>${memory.content}</a>${' '}
    <span class="meta"><${Time} at=${memory.timestamp} />, strength ${strength.toFixed(2)}${reason && `, ${reason}`}</span></li>`;
}

/** Maximum number of neighbours in the picture. More neighbours would overlap. */
const NEIGHBOURS_MAX = 12;
const LABEL_LENGTH = 26;
const CENTER = { x: 320, y: 150 };
const WIDTH = 640;
/** Space above the highest and below the lowest node, for two lines of text. */
const MARGIN = 40;
const RADIUS = { x: 220, y: 105 };

interface Node {
  /** The first relation to this neighbour. */
  relation: Relation;
  /** Types of all relations to this neighbour. */
  types: string[];
  x: number;
  y: number;
}

/** Places at most NEIGHBOURS_MAX neighbours on an ellipse, each neighbour once. The first neighbour is at the top. */
export function placeNeighbours(relations: readonly Relation[]): Node[] {
  const byNeighbour = new Map<string, Relation[]>();
  for (const relation of relations) {
    const { id } = relation.memory;
    byNeighbour.set(id, [...(byNeighbour.get(id) ?? []), relation]);
  }
  const shown = [...byNeighbour.values()].slice(0, NEIGHBOURS_MAX);
  return shown.map((group, index) => {
    const angle = (index / shown.length) * 2 * Math.PI - Math.PI / 2;
    const types = [...new Set(group.map(({ type }) => type))];
    const place = { x: CENTER.x + RADIUS.x * Math.cos(angle), y: CENTER.y + RADIUS.y * Math.sin(angle) };
    return { relation: group[0] as Relation, types, ...place };
  });
}

/** Drawn here, because it has few nodes, and a library for graphs would be three times as large as the whole page. */
function EgoGraph({ relations }: { relations: readonly Relation[] }): VNode {
  const nodes = placeNeighbours(relations);
  const heights = [CENTER.y, ...nodes.map(({ y }) => y)];
  const top = Math.min(...heights) - MARGIN;
  const height = Math.max(...heights) + MARGIN - top;
  return html`<svg class="ego" viewBox=${`0 ${top} ${WIDTH} ${height}`} aria-hidden="true" focusable="false">
    <defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
      <path d="M0 0L8 4L0 8z" /></marker></defs>
    ${nodes.map(node => html`<${Edge} node=${node} />`)}
    <circle class="center" cx=${CENTER.x} cy=${CENTER.y} r="9" />
    ${nodes.map(node => html`<${Neighbour} node=${node} />`)}
  </svg>`;
}

function Edge({ node: { relation, x, y } }: { node: Node }): VNode {
  // The line ends before the circles, so that its arrow can be seen.
  const from = { x: CENTER.x + (x - CENTER.x) * 0.08, y: CENTER.y + (y - CENTER.y) * 0.08 };
  const to = { x: CENTER.x + (x - CENTER.x) * 0.93, y: CENTER.y + (y - CENTER.y) * 0.93 };
  const end = relation.direction === 'outgoing' ? { 'marker-end': 'url(#arrow)' } : { 'marker-start': 'url(#arrow)' };
  return html`<line class=${`edge ${relation.type}`} x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y} ...${end} />`;
}

function Neighbour({ node: { relation, types, x, y } }: { node: Node }): VNode {
  const { memory } = relation;
  const isAbove = y < CENTER.y;
  const kinds = types.join(', ');
  const open = () => {
    navigate(hrefOfMemory(memory.id));
  };
  return html`<g class="neighbour" onClick=${open}>
    <title>${kinds}: ${memory.content}</title>
    <circle class=${`type ${memory.type}`} cx=${x} cy=${y} r="6" />
    <text x=${x} y=${y + (isAbove ? -22 : 18)} text-anchor="middle">${short(memory.content)}</text>
    <text class="kind" x=${x} y=${y + (isAbove ? -10 : 30)} text-anchor="middle">${short(kinds)}</text>
  </g>`;
}

function short(content: string): string {
  const characters = [...content];
  return characters.length <= LABEL_LENGTH ? content : `${characters.slice(0, LABEL_LENGTH - 1).join('')}…`;
}

export function OriginFacts({ memory }: { memory: MemoryAnswer }): VNode {
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
