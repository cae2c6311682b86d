/** The format for TOML. Our table is appended as text, and removed as whole lines. */
import { parse as parseToml, stringify, TomlError } from 'smol-toml';
import { ConnectError, endOfLine, type FileFormat, isSame, type Piece, valueAt, withValueAt } from './format.js';

export const tomlFormat: FileFormat = { parse, set, takeOut };

function parse(text: string): Record<string, unknown> {
  try {
    return parseToml(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '');
    throw new ConnectError(`It is not valid TOML at line ${error.line}, column ${error.column}: ${reason}`);
  }
}

function set(text: string, { path, value }: Piece): string {
  const before = parse(text);
  const lineEnd = endOfLine(text);
  const nested = path.reduceRight<object>((inner, key) => ({ [key]: inner }), value);
  const block = `${stringify(nested).trimEnd()}\n`.replaceAll('\n', lineEnd);
  const gap = text === '' ? '' : text.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
  const edited =
    valueAt(before, path) === undefined ? text + gap + block : withTables(text, tablesOf(text, path), block);
  return checked(edited, withValueAt(before, path, value), { text, path });
}

function takeOut(text: string, path: readonly string[], before: string): string {
  const now = parse(text);
  if (valueAt(now, path) === undefined) return text;
  const former = valueAt(parse(before), path);
  const formerBlock =
    former === undefined
      ? ''
      : tablesOf(before, path)
          .map(span => sliceOf(before, span))
          .join('');
  const edited = withTables(text, tablesOf(text, path), formerBlock);
  return checked(edited, withValueAt(now, path, former), { text, path });
}

/** Removes an implied parent table after its last child has been removed. */
function withoutEmpty(root: unknown, path: readonly string[]): unknown {
  const value = valueAt(root, path);
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty ? withValueAt(root, path, undefined) : root;
}

/** @throws ConnectError if the value is not written as a table */
function tablesOf(text: string, path: readonly string[]): Span[] {
  const tables = findTables(text).filter(({ keys }) => path.every((key, depth) => keys[depth] === key));
  if (tables.length === 0) throw otherForm(text, path);
  return tables;
}

function otherForm(text: string, path: readonly string[]): ConnectError {
  const key = path[0] ?? '';
  const line = text.split('\n').findIndex(each => each.includes(key)) + 1;
  return new ConnectError(
    `It has '${key}' at line ${line} in a form that connect cannot edit: write it by hand as a table [${path.join('.')}]`,
  );
}

/** Replaces the first table by a block and removes the other tables. An empty block removes the first table too. */
function withTables(text: string, tables: readonly Span[], block: string): string {
  const [first, ...others] = tables;
  if (first === undefined) return text;
  const cut = others.toReversed().reduce(withoutTable, text);
  return block === '' ? withoutTable(cut, first) : cut.slice(0, first.start) + block + cut.slice(first.end);
}

/** Removes a table. Also removes the blank line before it, if a blank line or the end of the text follows the table. */
function withoutTable(text: string, { start, end }: Span): string {
  const head = text.slice(0, start);
  const tail = text.slice(end);
  const isBeforeBlank = tail.trim() === '' || tail.startsWith('\n') || tail.startsWith('\r\n');
  return (isBeforeBlank ? withoutBlankLine(head) : head) + tail;
}

/** Removes the last line if it is empty. */
function withoutBlankLine(text: string): string {
  const blank = text.endsWith('\r\n') ? '\r\n' : '\n';
  const rest = text.slice(0, -blank.length);
  return text.endsWith(blank) && (rest === '' || rest.endsWith('\n')) ? rest : text;
}

function sliceOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

/** Checks before a file is written that the edit changed only the intended value. */
function checked(edited: string, expected: unknown, { text, path }: { text: string; path: readonly string[] }): string {
  let actual: unknown;
  try {
    actual = parse(edited);
  } catch {
    throw otherForm(text, path);
  }
  const container = path.slice(0, -1);
  if (isSame(withoutEmpty(actual, container), withoutEmpty(expected, container))) return edited;
  throw otherForm(text, path);
}

interface Span {
  start: number;
  end: number;
}

export interface Table extends Span {
  keys: readonly string[];
}

/**
 * @param text valid TOML
 * @returns the tables in order. A comment after the last value of a table belongs to no table
 */
function findTables(text: string): Table[] {
  const tables: Table[] = [];
  for (const { start, end, isHeader } of statements(text)) {
    const table = tables.at(-1);
    if (isHeader) tables.push({ start, end, keys: keysOf(text.slice(start, end)) });
    else if (table !== undefined) table.end = end;
  }
  return tables;
}

/** Yields headers and key-value pairs as whole lines. Skips empty lines and comments. */
function* statements(text: string): Generator<Span & { isHeader: boolean }> {
  let start = 0;
  let depth = 0;
  let first = '';
  for (let at = 0; at < text.length; at = tokenEnd(text, at)) {
    const character = text.charAt(at);
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    if (character === '\n' && depth === 0) {
      if (first !== '') yield { start, end: at + 1, isHeader: first === '[' };
      start = at + 1;
      first = '';
    } else if (first === '' && character !== '#' && character.trim() !== '') {
      first = character;
    }
  }
  if (first !== '') yield { start, end: text.length, isHeader: first === '[' };
}

/**
 * Skips a string or a comment, because brackets and line ends inside have no meaning. Otherwise skips one character.
 */
function tokenEnd(text: string, at: number): number {
  const character = text[at];
  if (character === '#') return endAt(text.indexOf('\n', at), text);
  if (character !== '"' && character !== "'") return at + 1;
  const quote = text.startsWith(character.repeat(3), at) ? character.repeat(3) : character;
  let end = at + quote.length;
  while (end < text.length && !text.startsWith(quote, end)) end += character === '"' && text[end] === '\\' ? 2 : 1;
  end += quote.length;
  // Skip further quotes, because a multi-line string may end with quotes that belong to the string.
  while (quote.length === 3 && text[end] === character) end += 1;
  return end;
}

function endAt(index: number, text: string): number {
  return index === -1 ? text.length : index;
}

/** Splits a header into its keys: `[a."b.c"]` has the keys a and b.c. */
function keysOf(header: string): string[] {
  const keys: string[] = [];
  let value: unknown = parseToml(header);
  while (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) value = value[0];
    const [entry] = Object.entries(value as object);
    if (entry === undefined) break;
    keys.push(entry[0]);
    value = entry[1];
  }
  return keys;
}
