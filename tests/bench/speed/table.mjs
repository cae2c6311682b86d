/** Formats the figures of a run as a Markdown table: a row for each operation, a column for each size. */
import { machineSentence } from './machine.mjs';

/** @param run `machine`, `loadBefore`, `loadAfter`, `queries`, and the list `results` with one item for each size */
export function markdownTable({ machine, loadBefore, loadAfter, queries, results }) {
  const names = [...new Set(results.flatMap(({ figures }) => figures.map(({ name }) => name)))];
  const rows = names.map(name => {
    const found = results.map(({ figures }) => figures.find(figure => figure.name === name));
    const unit = found.find(Boolean).unit;
    return [unit ? `${name}, ${unit}` : name, ...found.map(figureText)];
  });
  const header = ['', ...results.map(({ size }) => `${numberText(size)} memories`)];
  const loads = `Load average ${loadBefore.join(', ')} before and ${loadAfter.join(', ')} after the run.`;
  const filled = results.map(({ size, filledOn }) => `${numberText(size)} on ${filledOn}`);
  return [
    tableRow(header),
    tableRow(header.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map(tableRow),
    '',
    `${machineSentence(machine)}. ${loads} ${numberText(queries)} questions of each kind. Two figures in a cell are median`,
    `and 95th percentile. The stores were filled: ${filled.join(', ')}.`,
  ].join('\n');
}

/** Median and 95th percentile, or the single value, or a dash if the figure was not measured. */
export function figureText(figure) {
  if (!figure) return '–';
  if (figure.value !== undefined) return numberText(figure.value);
  return `${numberText(figure.p50)} / ${numberText(figure.p95)}`;
}

/**
 * Formats a number with separators between thousands. An integer has no decimals. Any other number has two decimals
 * below 10, one below 100, and none above.
 */
export function numberText(value) {
  const digits = Number.isInteger(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function tableRow(cells) {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
