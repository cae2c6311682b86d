/**
 * Draws the latencies of a run as an SVG: a panel for each operation, a bar for each size. All panels have the same
 * logarithmic axis, so that bars are comparable between them.
 */
import { machineSentence } from './machine.mjs';
import { BARE } from './report.mjs';
import { numberText } from './table.mjs';

const COLUMNS = 4;
const PANEL = { width: 230, height: 190 };
const PLOT = { left: 40, top: 30, width: 178, height: 122 };
const MARGIN = { left: 12, top: 78, bottom: 50 };
const WIDTH = 2 * MARGIN.left + COLUMNS * PANEL.width;
const BAR_MAX = 42;

const STYLE = `
    :root { --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --grid: #d1d9e0; --bar: #4a86c5; --bare: #b35900; }
    @media (prefers-color-scheme: dark) {
      :root { --paper: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --grid: #3d444d; --bar: #3f74ab; --bare: #f0a050; }
    }
    text { font: 11px system-ui, sans-serif; fill: var(--ink); }
    .title { font-size: 17px; font-weight: 600; }
    .name { font-size: 12px; font-weight: 600; }
    .faint { fill: var(--faint); }
    .grid { stroke: var(--grid); stroke-width: 1; }
    .bar { fill: var(--bar); }
    .whisker { stroke: var(--ink); stroke-width: 1.5; fill: none; }
    .bare { stroke: var(--bare); stroke-width: 2; stroke-dasharray: 5 3; fill: none; }
    .paper { fill: var(--paper); }`;

/** @param run the same as for `markdownTable` */
export function svgChart({ machine, results }) {
  const panels = panelsOf(results);
  const axis = axisOf(results);
  const height = MARGIN.top + Math.ceil(panels.length / COLUMNS) * PANEL.height + MARGIN.bottom;
  const drawn = panels.map((panel, index) => {
    const x = MARGIN.left + (index % COLUMNS) * PANEL.width;
    const y = MARGIN.top + Math.floor(index / COLUMNS) * PANEL.height;
    return `<g transform="translate(${x} ${y})">${drawPanel(panel, axis)}</g>`;
  });
  const title = 'How long an operation takes, by the number of memories';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title caption">
  <style>${STYLE}
  </style>
  <rect class="paper" width="${WIDTH}" height="${height}"/>
  <text id="title" class="title" x="${MARGIN.left}" y="28">${escapeXml(title)}</text>
  ${legend()}
  ${drawn.join('\n  ')}
  <text id="caption" class="faint" x="${MARGIN.left}" y="${height - 26}">${escapeXml(machineSentence(machine))}</text>
  <text class="faint" x="${MARGIN.left}" y="${height - 10}">Milliseconds on a logarithmic axis, the same in every panel; the axis below each panel counts the memories stored.</text>
</svg>
`;
}

export function escapeXml(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, character => entities[character]);
}

/** The operations to draw, each with its figures and the figures of the bare stores for each size. */
function panelsOf(results) {
  const isDrawn = ({ name, p50 }) => p50 !== undefined && name !== BARE;
  const figures = results.flatMap(result => result.figures.filter(isDrawn));
  const namesOf = wanted => figures.filter(figure => wanted === Boolean(figure.isRecall)).map(({ name }) => name);
  const recalls = new Set(namesOf(true));
  return [...new Set([...recalls, ...namesOf(false)])].map(name => ({
    name,
    isRecall: recalls.has(name),
    sizes: results.map(result => ({
      size: result.size,
      figure: result.figures.find(figure => figure.name === name),
      bare: result.figures.find(figure => figure.name === BARE),
    })),
  }));
}

/** A logarithmic axis from one power of ten to another. All drawn values lie between the two. */
function axisOf(results) {
  const drawn = results.flatMap(({ figures }) => figures.filter(({ p50 }) => p50 !== undefined));
  const values = drawn.flatMap(({ p50, p95 }) => [p50, p95]).filter(value => value > 0);
  const low = Math.floor(Math.log10(Math.min(...values, 1)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values, 1))));
  const share = value => (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low);
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return { ticks, y: value => round(PLOT.top + PLOT.height * (1 - share(value))) };
}

function legend() {
  const entry = (x, mark, text) => `<g transform="translate(${x} 46)">${mark}<text x="32" y="9">${text}</text></g>`;
  return [
    entry(MARGIN.left, '<rect class="bar" width="24" height="10"/>', 'median'),
    entry(MARGIN.left + 100, '<path class="whisker" d="M12 -3V12M6 -3H18"/>', '95th percentile'),
    entry(MARGIN.left + 240, '<path class="bare" d="M0 5H24"/>', 'median of the bare stores, asked the same questions'),
  ].join('');
}

function drawPanel({ name, sizes, isRecall }, axis) {
  const slot = PLOT.width / sizes.length;
  const centre = index => round(PLOT.left + slot * (index + 0.5));
  const bars = sizes.map((each, index) =>
    drawBar(each, { x: centre(index), width: Math.min(BAR_MAX, slot * 0.6), axis }),
  );
  const bare = isRecall ? drawBare(sizes, { centre, slot, axis }) : '';
  return `<text class="name" x="0" y="12">${escapeXml(name)}<tspan class="faint">, ms</tspan></text>${grid(axis)}${bars.join('')}${bare}`;
}

function grid({ ticks, y }) {
  const right = PLOT.left + PLOT.width;
  const line = tick => `<path class="grid" d="M${PLOT.left} ${y(tick)}H${right}"/>`;
  const label = tick =>
    `<text class="faint" x="${PLOT.left - 5}" y="${y(tick) + 4}" text-anchor="end">${numberOnAxis(tick)}</text>`;
  return ticks.map(tick => line(tick) + label(tick)).join('');
}

function drawBar({ size, figure }, { x, width, axis }) {
  const bottom = PLOT.top + PLOT.height;
  const below = `<text class="faint" x="${x}" y="${bottom + 15}" text-anchor="middle">${numberText(size)}</text>`;
  if (!figure) return below;
  const { p50, p95 } = figure;
  const [top, end] = [axis.y(p50), axis.y(p95)];
  const tip = `${figure.name}, ${numberText(size)} memories: median ${numberText(p50)} ms, 95th percentile ${numberText(p95)} ms`;
  return [
    `<g><title>${escapeXml(tip)}</title>`,
    `<rect class="bar" x="${round(x - width / 2)}" y="${top}" width="${round(width)}" height="${round(bottom - top)}"/>`,
    `<path class="whisker" d="M${x} ${top}V${end}M${round(x - 6)} ${end}H${round(x + 6)}"/>`,
    `<text x="${x}" y="${round(end - 5)}" text-anchor="middle">${numberText(p50)}</text></g>`,
    below,
  ].join('');
}

function drawBare(sizes, { centre, slot, axis }) {
  const known = sizes.flatMap(({ bare }, index) => (bare ? [[centre(index), axis.y(bare.p50)]] : []));
  if (known.length === 0) return '';
  const [[firstX, firstY], [lastX, lastY]] = [known[0], known.at(-1)];
  const reach = slot * 0.4;
  const points = [[firstX - reach, firstY], ...known, [lastX + reach, lastY]];
  return `<path class="bare" d="M${points.map(([x, y]) => `${round(x)} ${y}`).join('L')}"/>`;
}

/** Formats a power of ten without floating-point error. */
function numberOnAxis(value) {
  return String(Number(value.toPrecision(1)));
}

function round(value) {
  return Math.round(value * 10) / 10;
}
