/** Draws lines of a terminal as SVG, with the light or dark colours that the reader's browser prefers. */

const COLUMNS = 112;
const LINE_HEIGHT = 18;
const CHARACTER_WIDTH = 7.8;
const MARGIN = 16;

const STYLE = `
    :root { --paper: #f6f8fa; --ink: #1f2328; --faint: #59636e; --call: #0550ae; --edge: #d1d9e0; }
    @media (prefers-color-scheme: dark) {
      :root { --paper: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --call: #79c0ff; --edge: #3d444d; }
    }
    text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); white-space: pre; }
    .title { font-weight: 700; }
    .call { fill: var(--call); }
    .answer { fill: var(--ink); }
    .paper { fill: var(--paper); stroke: var(--edge); }
`;

/** Breaks a long line at spaces. Continuation lines are indented two characters more than the first line. */
function wrap(text) {
  const indent = `${/^ */.exec(text)?.[0] ?? ''}  `;
  const lines = [];
  let rest = text;
  while (rest.length > COLUMNS) {
    const at = rest.lastIndexOf(' ', COLUMNS);
    const end = at > indent.length ? at : COLUMNS;
    lines.push(rest.slice(0, end));
    rest = indent + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** @param lines each with its kind (title, call or answer) and its text */
export function drawTerminal(lines) {
  const drawn = lines.flatMap(({ kind, text }) => wrap(text).map(part => ({ kind, text: part })));
  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH + 2 * MARGIN);
  const height = drawn.length * LINE_HEIGHT + 2 * MARGIN;
  const texts = drawn.map(({ kind, text }, index) => {
    const y = MARGIN + (index + 1) * LINE_HEIGHT - 5;
    return `  <text class="${kind}" x="${MARGIN}" y="${y}" xml:space="preserve">${escapeText(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
  <title id="title">Two sessions of an assistant: the first stores two facts, the second recalls them</title>
  <style>${STYLE}  </style>
  <rect class="paper" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>
${texts.join('\n')}
</svg>
`;
}
