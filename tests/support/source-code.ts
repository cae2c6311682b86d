/**
 * Reads source files for tests of the code: the code without comments and strings, the imports, the regular
 * expressions, and the functions.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Import {
  /** The specifier as written. `?` when the specifier is computed. */
  specifier: string;
  /** Whether the compiler erases the import. */
  isType: boolean;
}

export interface SourceFile {
  /** The path relative to the root of the project, with `/`. */
  path: string;
  lineCount: number;
  /** Comments and the contents of strings are replaced by blanks, so that positions and lines stay the same. */
  code: string;
  imports: Import[];
  /** Regular expression literals, as written. */
  patterns: { line: number; literal: string }[];
}

/** A function with its number of lines, or a parameter list with its number of parameters. */
export interface Found {
  line: number;
  count: number;
}

export function readText(path: string): string {
  return readFileSync(`${ROOT}${path}`, 'utf8');
}

/** All source files in a folder of the project. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.(?:ts|mjs)$/.test(path))
    .map(path => `${folder}/${path.replaceAll('\\', '/')}`)
    .sort()
    .map(path => parseSource(path, readText(path)));
}

export function parseSource(path: string, text: string): SourceFile {
  const { code, withStrings, patterns } = blank(text);
  return { path, lineCount: text.split('\n').length - 1, code, imports: importsOf(withStrings), patterns };
}

/** The file of a relative import. */
export function targetOf(file: SourceFile, specifier: string): string {
  return posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts');
}

export function lineAt(code: string, position: number): number {
  return code.slice(0, position).split('\n').length;
}

function importsOf(text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?'([^']+)'/gm);
  const calls = text.matchAll(/(\btypeof\s+)?\bimport\(\s*(?:'([^']+)')?/g);
  return [...statements, ...calls].map(([, type, specifier = '?']) => ({ specifier, isType: type !== undefined }));
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y;
/** A slash after the end of a value is a division. Every other slash begins a pattern. */
const VALUE_END = /[\w$)\]}'"`](?<!\b(?:return|case|of|in))\s*$/;
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;

function blank(text: string): Pick<SourceFile, 'code' | 'patterns'> & { withStrings: string } {
  let code = '';
  let withStrings = '';
  const patterns: SourceFile['patterns'] = [];
  /** For each open `${`, the number of open braces inside it. */
  const templates: number[] = [];
  const take = (length: number, shown: 'all' | 'string' | 'none') => {
    const taken = text.slice(code.length, code.length + length);
    const blanks = taken.replace(/[^\n]/g, ' ');
    code += shown === 'all' ? taken : blanks;
    withStrings += shown === 'none' ? blanks : taken;
  };
  const takeTemplateText = () => {
    take(lengthOf(TEMPLATE_TEXT, text, code.length), 'string');
    const isInterpolation = text[code.length] === '$';
    if (isInterpolation) templates.push(0);
    take(isInterpolation ? 2 : 1, 'all');
  };
  while (code.length < text.length) {
    const start = code.length;
    const character = text[start];
    const comment = lengthOf(COMMENT, text, start);
    const string = lengthOf(STRING, text, start);
    if (comment > 0) take(comment, 'none');
    else if (string > 0) {
      take(1, 'all');
      take(string - 2, 'string');
      take(1, 'all');
    } else if (character === '/' && !VALUE_END.test(code.slice(-40))) {
      const length = lengthOf(PATTERN, text, start);
      if (length > 0) patterns.push({ line: lineAt(text, start), literal: text.slice(start, start + length) });
      take(Math.max(1, length), 'string');
    } else {
      take(1, 'all');
      const depth = templates.at(-1);
      if (character === '`') takeTemplateText();
      else if (depth === 0 && character === '}') {
        templates.pop();
        takeTemplateText();
      } else if (depth !== undefined && (character === '{' || character === '}')) {
        templates[templates.length - 1] = depth + (character === '{' ? 1 : -1);
      }
    }
  }
  return { code, withStrings, patterns };
}

function lengthOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0].length ?? 0;
}

/**
 * The functions of formatted code, with their lengths in lines, heads included. Only functions with a body in braces
 * count, because a function without braces can be long only if it contains a function with braces.
 */
export function functionLengths(code: string): Found[] {
  const arrows = [...code.matchAll(/=> \{/g)].map(({ index }) => ({ head: index, body: index + 3 }));
  const others = parameterLists(code).flatMap(({ start, end }) => {
    const body = code[end] === ' ' && code[end + 1] === '{' ? end + 1 : bodyAfterReturnType(code, end);
    return body === undefined ? [] : [{ head: start, body }];
  });
  return [...arrows, ...others].map(({ head, body }) => {
    const line = lineAt(code, head);
    return { line, count: lineAt(code, closing(code, body)) - line + 1 };
  });
}

/** The parameter lists of functions, methods and function types, with their numbers of parameters. */
export function parameterCounts(code: string): Found[] {
  return parameterLists(code).map(({ start, end }) => ({
    line: lineAt(code, start),
    count: countItems(code.slice(start + 1, end - 1)),
  }));
}

const CONTROL = /\b(?:if|for|while|switch|catch|await)\s*$/;

function parameterLists(code: string): { start: number; end: number }[] {
  return [...code.matchAll(/\(/g)].flatMap(({ index: start }) => {
    const end = closing(code, start) + 1;
    const after = code.slice(end, end + 20);
    const isList =
      /^(?:: \S| =>)/.test(after) || (/^ \{/.test(after) && !CONTROL.test(code.slice(Math.max(0, start - 20), start)));
    return isList ? [{ start, end }] : [];
  });
}

/** Position of the brace that opens a body after `): Type`. Undefined for a signature or an arrow. */
function bodyAfterReturnType(code: string, start: number): number | undefined {
  if (code[start] !== ':') return undefined;
  for (let position = start; position < code.length; position++) {
    const character = code[position] ?? '';
    const before = code.slice(Math.max(0, position - 20), position);
    if (character === '{' && !/[:|&<,]\s*$/.test(before)) return before.endsWith('=> ') ? undefined : position;
    if ('{(['.includes(character)) position = closing(code, position);
    else if (';)]}'.includes(character)) return undefined;
  }
  return undefined;
}

/** Position of the bracket that closes the bracket at `open`. */
function closing(code: string, open: number): number {
  let depth = 0;
  for (let position = open; position < code.length; position++) {
    if ('([{'.includes(code[position] ?? '')) depth++;
    else if (')]}'.includes(code[position] ?? '') && --depth === 0) return position;
  }
  return code.length;
}

/** Number of items between commas. Commas inside brackets do not separate items. */
function countItems(list: string): number {
  const flat = withoutNested(list).replace(/,\s*$/, '');
  return flat.trim() === '' ? 0 : flat.split(',').length;
}

function withoutNested(list: string): string {
  const inner = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|<[^<>]*>/;
  // The `>` in the arrow of a function type does not close a bracket.
  let text = list.replaceAll('=>', '  ');
  while (inner.test(text)) text = text.replace(inner, '_');
  return text;
}
