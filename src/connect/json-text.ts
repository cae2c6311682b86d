/** Parses JSON with comments into nodes with their positions in the text. */
import jsonc, { type Node, type ParseError } from 'jsonc-parser';
import { ConnectError, positionOf } from './connect-error.js';

/** A key and its value, with their positions in the text. */
export interface Property {
  start: number;
  end: number;
  value: Node;
  /** The object that has this property, and the index of the property. */
  parent: Node;
  index: number;
}

/** @returns undefined if the text has only white space and comments */
export function parseTree(text: string): Node | undefined {
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

export function findPlace(text: string, root: Node, path: readonly string[]): Place {
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
export function readGap(text: string, from: number, to: number): Gap {
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
