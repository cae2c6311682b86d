/** Finds the tables of a TOML text. Each table reaches from the start of its header to the end of its last value. */
import { parse } from 'smol-toml';

export interface Span {
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
export function findTables(text: string): Table[] {
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
  let value: unknown = parse(header);
  while (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) value = value[0];
    const [entry] = Object.entries(value as object);
    if (entry === undefined) break;
    keys.push(entry[0]);
    value = entry[1];
  }
  return keys;
}
