/** Reads JSON with comments as a tree of nodes that know their place in the text. */
import jsonc, { type Node, type ParseError } from 'jsonc-parser';
import { ConnectError, positionOf } from './connect-error.js';

/** A key with its value, and where both stand. */
export interface Property {
  start: number;
  end: number;
  value: Node;
  /** The object that it stands in, and its number there. */
  parent: Node;
  index: number;
}

/** @returns undefined where the text holds nothing but blanks and comments */
export function parseTree(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) {
    const { line, column } = positionOf(text, error.offset);
    throw new ConnectError(`It is not valid JSON at line ${line}, column ${column}: ${inWords(error)}`);
  }
  if (root !== undefined && root.type !== 'object') {
    throw new ConnectError(`It should hold a JSON object, but holds a value of type ${root.type}`);
  }
  return root;
}

/** `CloseBraceExpected` is "close brace expected". */
function inWords({ error }: ParseError): string {
  return jsonc
    .printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, letter => ` ${letter}`)
    .toLowerCase();
}

/** What stands at a path, as far as there is anything. */
export interface Place {
  /** Set where all of the path is there. */
  property?: Property;
  /** The last object on the way, and the keys that are missing from there. */
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
    throw new ConnectError(`'${key}' stands twice in one object, again at line ${positionOf(text, second.start).line}`);
  }
  return first;
}

export interface Gap {
  /** Offset of a comma that stands there. */
  comma: number | undefined;
  /** Where the last comma or comment ends; where the gap begins if there is none. */
  contentEnd: number;
  hasComment: boolean;
}

/** Reads what stands between two values, or between a value and a brace: blanks, comments, a comma. */
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

/** Values of the scanner, whose own names are erased by the compiler. */
const Kind = { comma: 5, lineComment: 12, blockComment: 13 };
