/** The format for JSON with comments. Values are inserted and removed as text, so that other text stays unchanged. */
import jsonc, { type Node, type ParseError } from 'jsonc-parser';
import {
  ConnectError,
  endOfLine,
  type FileFormat,
  isJsonObject,
  isSame,
  type JsonValue,
  type Piece,
  positionOf,
  valueAt,
  withValueAt,
} from './format.js';

export const jsonFormat: FileFormat = { parse, set: setValue, takeOut };

/** The formatting of a file. Inserted values get the same formatting. */
interface Style {
  lineEnd: string;
  indent: string;
}

function parse(text: string): unknown {
  const root = parseTree(text);
  return root === undefined ? {} : jsonc.getNodeValue(root);
}

/** Inserts a value of any type at a path, or replaces the value there. */
export function setValue(text: string, { path, value }: { path: Piece['path']; value: JsonValue }): string {
  const root = parseTree(text);
  const style = styleOf(text, root);
  if (root === undefined) {
    const gap = text === '' || text.endsWith('\n') ? '' : style.lineEnd;
    return `${text}${gap}${print(nest(path, value), '', style)}${style.lineEnd}`;
  }
  const { property, object, missing } = findPlace(text, root, path);
  const edited =
    property === undefined
      ? insert(text, object, { key: missing[0] ?? '', value: nest(missing.slice(1), value) }, style)
      : replace(text, property, value, style);
  return checked(edited, withValueAt(parse(text), path, value));
}

function nest(path: readonly string[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
}

/** @param indent of the line on which the value begins */
function print(value: JsonValue, indent: string, style: Style): string {
  return JSON.stringify(value, null, style.indent).replaceAll('\n', `${style.lineEnd}${indent}`);
}

function replace(text: string, { start, value: node, parent }: Property, value: JsonValue, style: Style): string {
  const isInline = standsOnOneLine(text, parent);
  return spliced(text, node, isInline ? JSON.stringify(value) : print(value, indentAt(text, start), style));
}

/** A property of an object, or an element of an array if `key` is absent. */
interface Item {
  key?: string;
  value: JsonValue;
}

/** Appends an item to an object or an array. */
function insert(text: string, container: Node, { key, value }: Item, style: Style): string {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const from = last === undefined ? container.offset + 1 : last.offset + last.length;
  const { comma, contentEnd } = readGap(text, from, close);
  const commaBefore = last !== undefined && comma === undefined ? ',' : '';
  const commaAfter = comma === undefined ? '' : ',';
  const head = `${text.slice(0, from)}${commaBefore}${text.slice(from, contentEnd)}`;
  const name = key === undefined ? '' : `${JSON.stringify(key)}:`;
  if (standsOnOneLine(text, container)) {
    const isSpaced = /\s/.test(text.slice(container.offset, close));
    const blank = isSpaced && last !== undefined ? ' ' : '';
    const printed = `${name}${isSpaced && name !== '' ? ' ' : ''}${JSON.stringify(value)}`;
    return `${head}${blank}${printed}${commaAfter}${text.slice(contentEnd)}`;
  }
  const outerIndent = indentAt(text, container.offset);
  const indent = indentOfChildren(text, container) ?? outerIndent + style.indent;
  const printed = `${style.lineEnd}${indent}${name}${name && ' '}${print(value, indent, style)}${commaAfter}`;
  const tail = text.slice(contentEnd);
  const closing = text.slice(contentEnd, close).includes('\n') ? '' : `${style.lineEnd}${outerIndent}`;
  return `${head}${printed}${closing}${closing === '' ? tail : tail.trimStart()}`;
}

function standsOnOneLine(text: string, object: Node): boolean {
  if (text.slice(object.offset, object.offset + object.length).includes('\n')) return false;
  if (object.children?.length) return true;
  const whole = text.trim();
  return !whole.includes('\n') && object.parent !== undefined;
}

/** The position of an element. */
export interface ElementPlace {
  /** Path of an existing array. */
  path: readonly string[];
  index: number;
}

/** Appends an element to an array that exists already. */
export function appendElement(text: string, path: readonly string[], value: JsonValue): string {
  const { list, root } = listAt(text, path);
  return checkedList(insert(text, list, { value }, styleOf(text, root)), text, path, elements => [...elements, value]);
}

export function replaceElement(text: string, { path, index }: ElementPlace, value: JsonValue): string {
  const { list, root } = listAt(text, path);
  const node = list.children?.[index];
  if (node === undefined) return text;
  const printed = standsOnOneLine(text, list)
    ? JSON.stringify(value)
    : print(value, indentAt(text, node.offset), styleOf(text, root));
  return checkedList(spliced(text, node, printed), text, path, elements => elements.with(index, value));
}

export function removeElement(text: string, { path, index }: ElementPlace): string {
  const { list } = listAt(text, path);
  const node = list.children?.[index];
  if (node === undefined) return text;
  const span = { start: node.offset, end: node.offset + node.length, parent: list, index };
  return checkedList(remove(text, span), text, path, elements => elements.toSpliced(index, 1));
}

function listAt(text: string, path: readonly string[]): { list: Node; root: Node } {
  const root = parseTree(text);
  const list = root && findPlace(text, root, path).property?.value;
  if (root === undefined || list?.type !== 'array') throw new ConnectError(`'${path.join('.')}' should be a list`);
  return { list, root };
}

function checkedList(
  edited: string,
  text: string,
  path: readonly string[],
  change: (elements: readonly unknown[]) => readonly unknown[],
): string {
  const root = parse(text);
  const elements = valueAt(root, path);
  return checked(edited, withValueAt(root, path, change(Array.isArray(elements) ? elements : [])));
}

function takeOut(text: string, path: readonly string[], before: string): string {
  const root = parseTree(text);
  const property = root && findPlace(text, root, path).property;
  if (property === undefined) return text;
  const rootBefore = parseTree(before);
  const former = rootBefore && findPlace(before, rootBefore, path).property?.value;
  if (former !== undefined) {
    const edited = spliced(text, property.value, before.slice(former.offset, former.offset + former.length));
    return checked(edited, withValueAt(parse(text), path, jsonc.getNodeValue(former)));
  }
  const removed = checked(remove(text, property), withValueAt(parse(text), path, undefined));
  const container = path.slice(0, -1);
  return isNeedless(removed, container, rootBefore && findPlace(before, rootBefore, container).property)
    ? takeOut(removed, container, before)
    : removed;
}

/** Whether a container is empty now, contains no comment, and did not exist before our entry. */
function isNeedless(text: string, container: readonly string[], before: Property | undefined): boolean {
  const root = parseTree(text);
  if (container.length === 0 || root === undefined || before !== undefined) return false;
  const value = findPlace(text, root, container).property?.value;
  if (value === undefined || value.children?.length !== 0) return false;
  return !readGap(text, value.offset + 1, value.offset + value.length - 1).hasComment;
}

/** Removes a property or an element, with one comma. Also removes its lines if they contain nothing else. */
function remove(text: string, { start, end, parent, index }: Omit<Property, 'value'>): string {
  const siblings = parent.children ?? [];
  const empty = parent.type === 'array' ? '[]' : '{}';
  if (siblings.length === 1 && !hasCommentsAround(text, parent, { start, end })) return spliced(text, parent, empty);
  const next = siblings[index + 1]?.offset ?? parent.offset + parent.length - 1;
  const previous = siblings[index - 1];
  const { comma } = readGap(text, end, next);
  if (comma === undefined && previous !== undefined) {
    const before = readGap(text, previous.offset + previous.length, start).comma ?? start;
    return withoutSpan(text.slice(0, before) + text.slice(before + 1), start - 1, end - 1);
  }
  if (comma === undefined) return withoutSpan(text, start, end);
  const isNextToIt = text.slice(end, comma).trim() === '';
  if (isNextToIt) return withoutSpan(text, start, comma + 1);
  return withoutSpan(text.slice(0, comma) + text.slice(comma + 1), start, end);
}

function hasCommentsAround(text: string, parent: Node, { start, end }: { start: number; end: number }): boolean {
  const close = parent.offset + parent.length - 1;
  return readGap(text, parent.offset + 1, start).hasComment || readGap(text, end, close).hasComment;
}

function withoutSpan(text: string, start: number, end: number): string {
  const blankAfter = /^[ \t]*(?:\r?\n)?/.exec(text.slice(end))?.[0] ?? '';
  const after = text.slice(end + blankAfter.length);
  if (!beginsItsLine(text, start)) return text.slice(0, start).trimEnd() + text.slice(end);
  return text.slice(0, blankAfter.includes('\n') ? lineStartAt(text, start) : start) + after;
}

function spliced(text: string, { offset, length }: Node, replacement: string): string {
  return text.slice(0, offset) + replacement + text.slice(offset + length);
}

/**
 * Returns the line end of the text, and the indentation of the first key that has a line of its own. Without such a key
 * the indentation is two spaces.
 */
function styleOf(text: string, root: Node | undefined): Style {
  const indent = root && indentOfChildren(text, root);
  return { lineEnd: endOfLine(text), indent: indent || '  ' };
}

/** Returns the indentation of the line that contains an offset. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(lineStartAt(text, offset), offset);
  return line.slice(0, line.length - line.trimStart().length);
}

function lineStartAt(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function beginsItsLine(text: string, offset: number): boolean {
  return text.slice(lineStartAt(text, offset), offset).trim() === '';
}

/** @returns undefined if no child has a line of its own */
function indentOfChildren(text: string, { children = [], offset: start }: Node): string | undefined {
  const onOwnLine = children.find(({ offset }) => beginsItsLine(text, offset) && lineStartAt(text, offset) > start);
  return onOwnLine && indentAt(text, onOwnLine.offset);
}

/** Checks before a file is written that the edit changed only the intended value. */
function checked(text: string, expected: unknown): string {
  const actual = parse(text);
  if (isJsonObject(actual) && isSame(actual, expected)) return text;
  throw new ConnectError('It could not be edited without a change to its other contents');
}

/** A key and its value, with their positions in the text. */
interface Property {
  start: number;
  end: number;
  value: Node;
  /** The object that has this property, and the index of the property. */
  parent: Node;
  index: number;
}

/** @returns undefined if the text has only white space and comments */
function parseTree(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) {
    const { line, column } = positionOf(text, error.offset);
    throw new ConnectError(`It is not valid JSON at line ${line}, column ${column}: ${inWords(error)}`);
  }
  if (root !== undefined && root.type !== 'object') {
    throw new ConnectError(`It should contain a JSON object, but contains a value of type ${root.type}`);
  }
  return root;
}

/** Converts an error code to words: `CloseBraceExpected` becomes "close brace expected". */
function inWords({ error }: ParseError): string {
  return jsonc
    .printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, letter => ` ${letter}`)
    .toLowerCase();
}

/** The result of following a path. */
export interface Place {
  /** The property at the end of the path. Set only if the whole path exists. */
  property?: Property;
  /** The last existing object of the path, and the missing keys below it. */
  object: Node;
  missing: readonly string[];
}

function findPlace(text: string, root: Node, path: readonly string[]): Place {
  let object = root;
  for (const [depth, key] of path.entries()) {
    const property = findProperty(text, object, key);
    if (property === undefined) return { object, missing: path.slice(depth) };
    if (depth === path.length - 1) return { property, object, missing: [] };
    if (property.value.type !== 'object') {
      const { line } = positionOf(text, property.value.offset);
      throw new ConnectError(
        `'${path.slice(0, depth + 1).join('.')}' at line ${line} should be an object, but is of type ${property.value.type}`,
      );
    }
    object = property.value;
  }
  return { object, missing: [] };
}

function findProperty(text: string, parent: Node, key: string): Property | undefined {
  const found = (parent.children ?? []).flatMap((node, index) => {
    const [name, value] = node.children ?? [];
    return name?.value === key && value !== undefined
      ? [{ start: node.offset, end: node.offset + node.length, value, parent, index }]
      : [];
  });
  const [first, second] = found;
  if (second !== undefined) {
    throw new ConnectError(`'${key}' occurs twice in one object, again at line ${positionOf(text, second.start).line}`);
  }
  return first;
}

export interface Gap {
  /** Offset of a comma in the gap. */
  comma: number | undefined;
  /** End of the last comma or comment. If the gap has neither, start of the gap. */
  contentEnd: number;
  hasComment: boolean;
}

/** Reads the gap between two values, or between a value and a brace: white space, comments and a comma. */
function readGap(text: string, from: number, to: number): Gap {
  const scanner = jsonc.createScanner(text, false);
  scanner.setPosition(from);
  const gap: Gap = { comma: undefined, contentEnd: from, hasComment: false };
  for (let kind = scanner.scan(); scanner.getTokenOffset() < to; kind = scanner.scan()) {
    if (kind === Kind.comma) gap.comma ??= scanner.getTokenOffset();
    else if (kind === Kind.lineComment || kind === Kind.blockComment) gap.hasComment = true;
    else continue;
    gap.contentEnd = scanner.getTokenOffset() + scanner.getTokenLength();
  }
  return gap;
}

/** Token kinds of the scanner, as numbers, because the const enum of the scanner does not exist at run time. */
const Kind = { comma: 5, lineComment: 12, blockComment: 13 };
