/**
 * Collects every regular expression of the source. Literals are read from the text. Computed patterns are recorded
 * while the files run.
 */
import { readSources, type SourceFile } from './source-code.js';

export interface FoundPattern {
  /** The file, and for a literal also the line. */
  place: string;
  pattern: RegExp;
}

export function literalPatterns(sources: readonly SourceFile[]): FoundPattern[] {
  return sources.flatMap(({ path, patterns }) =>
    patterns.map(({ line, literal }) => {
      const end = literal.lastIndexOf('/');
      return { place: `${path}:${line}`, pattern: new RegExp(literal.slice(1, end), literal.slice(end + 1)) };
    }),
  );
}

const COMPUTED = /\b(?:new )?RegExp\(/;

/** The paths of all files that compute patterns. */
export function computingFiles(sources = readSources('src')): string[] {
  return sources.filter(({ code }) => COMPUTED.test(code)).map(({ path }) => path);
}

/** Records the patterns that `new RegExp` creates while `work` runs, each with the file that created the pattern. */
export async function computedPatterns(
  files: readonly string[],
  work: () => Promise<unknown>,
): Promise<FoundPattern[]> {
  const found: FoundPattern[] = [];
  const plain = globalThis.RegExp;
  globalThis.RegExp = new Proxy(plain, {
    construct: (target, [source, flags]: [string, string?]) => {
      const pattern = new target(source, flags);
      const { stack = '' } = new Error('made here');
      const place = files.find(path => stack.includes(path));
      if (place !== undefined) found.push({ place, pattern });
      return pattern;
    },
  });
  try {
    await work();
  } finally {
    globalThis.RegExp = plain;
  }
  return found;
}
