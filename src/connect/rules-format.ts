/**
 * The format for Markdown files with rules for models. Our rules are between two comments that mark their start and
 * end. The rest of the file stays unchanged.
 */
import { ConnectError, endOfLine, type FileFormat, type Piece, valueAt } from './format.js';

export const rulesFormat: FileFormat = { parse, set, takeOut };

const BEGIN = '<!-- engraph: begin, written by `engraph connect` -->';
const END = '<!-- engraph: end -->';

/** Path of our rules in the parsed file. */
export const RULES_PATH: readonly string[] = ['rules'];

export function rulesPiece(text: string): Piece {
  return { path: RULES_PATH, value: { text } };
}

function parse(text: string): unknown {
  const span = spanOf(text);
  if (span === undefined) return {};
  const inner = text.slice(span.start + BEGIN.length, span.end - END.length);
  return { rules: { text: inner.replaceAll('\r\n', '\n').replace(/^\n/, '') } };
}

function set(text: string, { value }: Piece): string {
  const lineEnd = endOfLine(text);
  const block = `${BEGIN}\n${String(value.text)}${END}`.replaceAll('\n', lineEnd);
  const span = spanOf(text);
  if (span !== undefined) return text.slice(0, span.start) + block + text.slice(span.end);
  const gap = text === '' ? '' : text.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
  return `${text}${gap}${block}${lineEnd}`;
}

function takeOut(text: string, _path: readonly string[], before: string): string {
  const span = spanOf(text);
  if (span === undefined) return text;
  const former = valueAt(parse(before), RULES_PATH) as Piece['value'] | undefined;
  if (former !== undefined) return set(text, { path: RULES_PATH, value: former });
  const lineEnd = endOfLine(text);
  const head = text.slice(0, span.start);
  const tail = text.slice(span.end);
  const rest = tail.startsWith(lineEnd) ? tail.slice(lineEnd.length) : tail;
  return (head.endsWith(lineEnd + lineEnd) ? head.slice(0, -lineEnd.length) : head) + rest;
}

/** @throws ConnectError if the text contains BEGIN or END, but not exactly one BEGIN followed by exactly one END */
function spanOf(text: string): { start: number; end: number } | undefined {
  const start = text.indexOf(BEGIN);
  const endMark = text.indexOf(END);
  if (start < 0 && endMark < 0) return undefined;
  if (start < 0 || endMark < start || text.lastIndexOf(BEGIN) !== start || text.lastIndexOf(END) !== endMark) {
    throw new ConnectError(`Its comments '${BEGIN}' and '${END}' do not form one pair: repair them by hand`);
  }
  return { start, end: endMark + END.length };
}
