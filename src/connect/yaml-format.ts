/** The format for YAML. Our entry is inserted and removed as whole lines, so that other text stays unchanged. */
import { isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import { ConnectError, endOfLine, type FileFormat, isSame, type Piece, valueAt, withValueAt } from './format.js';

export const yamlFormat: FileFormat = { parse, set, takeOut };

type Container = readonly [string, string];
type Keyed = Pair<{ range: [number, number, number] }, { range?: [number, number, number] | null } | null>;

interface Span {
  start: number;
  end: number;
}

function parse(text: string): unknown {
  return documentOf(text).toJS() ?? {};
}

function documentOf(text: string) {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    const [line] = error.message.split('\n');
    throw new ConnectError(`It is not valid YAML: ${line?.replace(/:$/, '')}`);
  }
  if (document.contents !== null && !isMap(document.contents))
    throw new ConnectError('It should contain a YAML mapping');
  return document;
}

/** @param piece its path has two keys: that of the servers, and ours */
function set(text: string, { path, value }: Piece): string {
  const [outer, key] = path as Container;
  const servers = pairAt(rootOf(text), outer);
  const ours = servers && pairAt(servers.value, key);
  const indent = indentOf(text, servers);
  const block = printed({ [key]: value }, indent, text);
  const edited =
    ours !== undefined
      ? spliced(text, linesOf(text, ours), block)
      : servers === undefined
        ? `${ended(text)}${printed({ [outer]: { [key]: value } }, '', text)}`
        : withFirst(text, servers, { outer, block });
  return checked(edited, withValueAt(parse(text), path, value), outer);
}

/** Inserts our entry after the others, or in place of an empty value. */
function withFirst(text: string, servers: Keyed, { outer, block }: { outer: string; block: string }): string {
  const { end } = linesOf(text, servers);
  const last = isMap(servers.value) ? (servers.value.items.at(-1) as Keyed | undefined) : undefined;
  if (last === undefined) return spliced(text, linesOf(text, servers), `${outer}:${endOfLine(text)}${block}`);
  const at = Math.min(linesOf(text, last).end, end);
  return `${ended(text.slice(0, at))}${block}${text.slice(at)}`;
}

function takeOut(text: string, path: readonly string[], before: string): string {
  const [outer, key] = path as Container;
  const now = parse(text);
  if (valueAt(now, path) === undefined) return text;
  const servers = pairAt(rootOf(text), outer);
  const ours = servers && pairAt(servers.value, key);
  if (servers === undefined || ours === undefined) return text;
  const formerServers = pairAt(rootOf(before), outer);
  const former = formerServers && pairAt(formerServers.value, key);
  const isLast = isMap(servers.value) && servers.value.items.length === 1;
  const slice = (pair: Keyed) => sliceOf(before, linesOf(before, pair));
  const formerValue = valueAt(parse(before), path);
  if (former !== undefined) {
    return checked(spliced(text, linesOf(text, ours), slice(former)), withValueAt(now, path, formerValue), outer);
  }
  if (!isLast) return checked(spliced(text, linesOf(text, ours), ''), withValueAt(now, path, undefined), outer);
  const rest = spliced(text, linesOf(text, servers), formerServers === undefined ? '' : slice(formerServers));
  return checked(rest, withValueAt(now, [outer], valueAt(parse(before), [outer])), outer);
}

function rootOf(text: string): unknown {
  return documentOf(text).contents;
}

function pairAt(map: unknown, key: string): Keyed | undefined {
  if (!isMap(map)) return undefined;
  return (map as YAMLMap).items.find(({ key: each }) => isScalar(each) && each.value === key) as Keyed | undefined;
}

/** The lines of a key with its value. A comment at the end of the last line belongs to them. */
function linesOf(text: string, { key, value }: Keyed): Span {
  const start = text.lastIndexOf('\n', key.range[0] - 1) + 1;
  const valueEnd = value?.range?.[1] ?? key.range[1];
  if (valueEnd > start && text[valueEnd - 1] === '\n') return { start, end: valueEnd };
  const lineEnd = text.indexOf('\n', valueEnd);
  return { start, end: lineEnd < 0 ? text.length : lineEnd + 1 };
}

/** The indentation of the entries beside ours. */
function indentOf(text: string, servers: Keyed | undefined): string {
  const first = isMap(servers?.value) ? (servers.value.items[0] as Keyed | undefined) : undefined;
  if (first === undefined) return '  ';
  return text.slice(text.lastIndexOf('\n', first.key.range[0] - 1) + 1, first.key.range[0]);
}

function printed(value: object, indent: string, text: string): string {
  return stringify(value, { lineWidth: 0 })
    .replaceAll(/^(?=.)/gm, indent)
    .replaceAll('\n', endOfLine(text));
}

/** Ends the last line, so that another can follow. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : text + endOfLine(text);
}

function spliced(text: string, { start, end }: Span, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function sliceOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

/** Checks before a file is written that the edit changed only the intended value. */
function checked(edited: string, expected: unknown, key: string): string {
  const problem = new ConnectError(
    `It has '${key}' in a form that connect cannot edit: write it by hand as a block mapping`,
  );
  let actual: unknown;
  try {
    actual = parse(edited);
  } catch {
    throw problem;
  }
  if (isSame(actual, expected)) return edited;
  throw problem;
}
