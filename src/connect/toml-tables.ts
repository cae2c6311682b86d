/** Finds the tables of a TOML text by their headers: where each begins, and where its last value ends. */
import { parse } from 'smol-toml';

export interface Span {
  start: number;
  end: number;
}

export interface Table extends Span {
  keys: readonly string[];
}

/** A step over what may hold brackets, quotes and line ends of its own. */
const TOKEN =
  /"""(?:\\[\s\S]|(?!""")[\s\S])*"{3,5}|'''(?:(?!''')[\s\S])*'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\n|[^"'#[\]{}\n]+|["']/gy;

/**
 * @param text valid TOML
 * @returns the tables in their order; what follows the last value of one, such as a comment, belongs to none
 */
export function findTables(text: string): Table[] {
  const tables: Table[] = [];
  for (const { start, end, isHeader } of statements(text)) {
    const statement = text.slice(start, end);
    const table = tables.at(-1);
    if (isHeader) tables.push({ start, end, keys: keysOf(statement) });
    else if (table !== undefined) table.end = end;
  }
  return tables;
}

/** Headers and pairs of key and value with their whole lines. Lines of blanks and comments are left out. */
function* statements(text: string): Generator<Span & { isHeader: boolean }> {
  let start = 0;
  let depth = 0;
  let first = '';
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (token === '\n' && depth === 0) {
      if (first !== '') yield { start, end: index + 1, isHeader: first === '[' };
      start = index + 1;
      first = '';
    } else if (first === '' && token.trim() !== '' && !token.startsWith('#')) {
      first = token;
    }
  }
  if (first !== '') yield { start, end: text.length, isHeader: first === '[' };
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
