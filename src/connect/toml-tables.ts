/** Finds the tables of a TOML text by their headers: where each begins, and where its last value ends. */
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
 * @returns the tables in their order; what follows the last value of one, such as a comment, belongs to none
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

/** Headers and pairs of key and value with their whole lines. Lines of blanks and comments are left out. */
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

/** Steps over texts and comments, in which brackets, quotes and line ends mean nothing, and else over one character. */
function tokenEnd(text: string, at: number): number {
  const character = text[at];
  if (character === '#') return endAt(text.indexOf('\n', at), text);
  if (character !== '"' && character !== "'") return at + 1;
  const quote = text.startsWith(character.repeat(3), at) ? character.repeat(3) : character;
  let end = at + quote.length;
  while (end < text.length && !text.startsWith(quote, end)) end += character === '"' && text[end] === '\\' ? 2 : 1;
  end += quote.length;
  // A text of several lines may end with quotes of its own.
  while (quote.length === 3 && text[end] === character) end += 1;
  return end;
}

function endAt(index: number, text: string): number {
  return index === -1 ? text.length : index;
}

/** `[a."b.c"]` is a, b.c. */
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
