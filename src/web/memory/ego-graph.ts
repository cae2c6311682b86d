/**
 * The relations of one memory as a picture: the memory in the middle, its neighbours around it. The list below the
 * picture contains all relations, also for people who cannot see the picture.
 */
import type { VNode } from 'preact';
import type { MemoryAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { hrefOfMemory, navigate } from '../shell/route.js';

type Relation = MemoryAnswer['relations'][number];

/** Maximum number of neighbours in the picture. More neighbours would overlap. */
export const NEIGHBOURS_MAX = 12;
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

export function EgoGraph({ relations }: { relations: readonly Relation[] }): VNode {
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
