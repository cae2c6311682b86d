/** The rules of ARCHITECTURE.md as data, and the functions that find violations. */
import { PARTS } from './architecture-parts.js';
import { packageName } from './package-rules.js';
import { functionLengths, lineAt, parameterCounts, type SourceFile, targetOf } from './source-code.js';

interface WordRule {
  pattern: RegExp;
  /** Folders and files to which the rule does not apply. */
  allowed: readonly string[];
  /** Files that violate the rule, each with a reason. A file that follows the rule must be removed from this list. */
  exceptions?: Record<string, string>;
}

export const WORD_RULES: Record<string, WordRule> = {
  'no any': {
    pattern: /\bany\b/g,
    allowed: [],
    exceptions: {
      'src/stores/qdrant/search.ts': 'the name of a condition in Qdrant filters',
    },
  },
  'only config.ts reads the environment': {
    pattern: /\bprocess\s*(?:\.\s*env\b|\[)|\benv\b[^}\n]*\}\s*=\s*process\b/g,
    allowed: ['src/config.ts', 'src/memory-place.ts'],
    exceptions: {
      'src/cli/main.ts': 'hands the environment over whole and reads no name in it',
      'src/cli/hook/main.ts': 'hands the environment over whole and reads no name in it',
      'src/cli/hook/answer-here.ts': 'hands the environment over whole and reads no name in it',
    },
  },
  'only the logger and the command line print': {
    pattern: /\bconsole\s*[.[]|\bprocess\s*\.\s*(?:stdout|stderr)\b/g,
    allowed: ['src/log.ts', 'src/cli/'],
    exceptions: { 'src/mcp/stdio.ts': 'stdout is its wire' },
  },
  'only the composition root and the adapters know the time of day': {
    pattern: /\bDate\s*\.\s*now\b|\bnew Date\(\s*\)|\bperformance\b|\bhrtime\b|\bset(?:Timeout|Interval)\b/g,
    allowed: ['src/engine/clock.ts', 'src/cli/', 'src/http/', 'src/client/', 'src/web/'],
    exceptions: {
      'src/event-loop.ts': 'the length of a step of work, not a time of the memory',
      'src/log.ts': 'the time of a line of the log is that of the machine',
      'src/sharing/relay.ts': 'a deadline for an answer of another process, not a time of the memory',
      'src/time-limit.ts': 'names the timers of a library, which it hands the clock of the memory',
      'src/stores/database/write-queue.ts': 'a wait for a lock of another program, not a time of the memory',
      'src/stores/falkordb/connection.ts': 'a limit for calls to a server, not a time of the memory',
      'src/stores/qdrant/post-json.ts': 'a limit for requests to a server, not a time of the memory',
    },
  },
  'nothing outside the command line ends the process': { pattern: /\bprocess\s*\.\s*exit\b/g, allowed: ['src/cli/'] },
  'no randomness but ids': {
    pattern: /\bMath\s*\.\s*random\b/g,
    allowed: [],
    exceptions: { 'src/engine/open.ts': 'the pairs that consolidation looks at are drawn by lot' },
  },
  'the domain makes no ids': {
    pattern: /\brandom[A-Z]\w*/g,
    allowed: Object.keys(PARTS)
      .filter(part => part !== 'domain')
      .map(part => `src/${part}`),
  },
};

/** Functions that may exceed the maximum length, with reasons, by file. */
export const LONG_FUNCTIONS: Record<string, string> = {};

export const LIMITS = { file: 400, medianFile: 150, p90File: 300, function: 100, parameters: 4 };

function partOf(path: string): string | undefined {
  const name = path.replace(/^src\//, '').replace(/\.(?:ts|json)$/, '');
  const parts = Object.keys(PARTS).filter(part => name === part || name.startsWith(`${part}/`));
  return parts.sort((a, b) => b.length - a.length)[0];
}

export function importViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(file => {
    const part = partOf(file.path);
    if (part === undefined) return [`${file.path} belongs to no part`];
    const { imports = [], types = [], packages = [] } = PARTS[part] ?? {};
    const isAllowed = ({ specifier, isType }: SourceFile['imports'][number]) => {
      if (specifier.startsWith('node:')) return packages.includes('node:*') || packages.includes(specifier);
      if (!specifier.startsWith('.')) return packages.includes(packageName(specifier));
      const target = partOf(targetOf(file, specifier));
      return target !== undefined && [part, ...imports, ...(isType ? types : [])].includes(target);
    };
    return file.imports.filter(each => !isAllowed(each)).map(({ specifier }) => `${file.path} imports ${specifier}`);
  });
}

export function runtimeCycles(files: readonly SourceFile[]): string[] {
  const edges = new Map(
    files.map(file => [
      file.path,
      file.imports
        .filter(({ specifier, isType }) => specifier.startsWith('.') && !isType)
        .map(({ specifier }) => targetOf(file, specifier)),
    ]),
  );
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    else if (!done.has(path)) for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return cycles;
}

/** Folders of `stores` that every part may import. */
const STORES_FOR_ALL: ReadonlySet<string> = new Set(['src/stores/data-folder/', 'src/stores/ports/']);

export function importersOfConcreteStores(files: readonly SourceFile[]): string[] {
  const folderOf = (path: string) => /^src\/stores\/[^/]+\//.exec(path)?.[0];
  // Imports among the folders of `stores` follow the table of parts, so only files outside of them are checked here.
  const outside = files.filter(({ path }) => folderOf(path) === undefined);
  const importers = outside.filter(file =>
    file.imports.some(({ specifier }) => {
      const folder = specifier.startsWith('.') ? folderOf(targetOf(file, specifier)) : undefined;
      return folder !== undefined && !STORES_FOR_ALL.has(folder);
    }),
  );
  return importers.map(({ path }) => path);
}

export function longFiles(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ lineCount }) => lineCount > LIMITS.file)
    .map(({ path, lineCount }) => `${path} has ${lineCount} lines`);
}

export function percentile(files: readonly SourceFile[], share: number): number {
  const lengths = files.map(({ lineCount }) => lineCount).sort((a, b) => a - b);
  return lengths[Math.ceil(lengths.length * share) - 1] ?? 0;
}

export function largeFunctions(files: readonly SourceFile[], exceptions: Record<string, string> = {}): string[] {
  return files.flatMap(({ path, code }) => [
    ...functionLengths(code)
      .filter(({ count }) => count > LIMITS.function && !exceptions[path])
      .map(({ line, count }) => `${path}:${line} has ${count} lines`),
    ...parameterCounts(code)
      .filter(({ count }) => count > LIMITS.parameters)
      .map(({ line, count }) => `${path}:${line} has ${count} parameters`),
  ]);
}

function wordHits({ path, code }: SourceFile, { pattern, allowed }: WordRule): string[] {
  if (allowed.some(prefix => path.startsWith(prefix))) return [];
  return [...code.matchAll(pattern)].map(({ index, 0: text }) => `${path}:${lineAt(code, index)} ${text}`);
}

export function wordViolations(files: readonly SourceFile[], name: string): string[] {
  const rule = WORD_RULES[name] as WordRule;
  return files.filter(({ path }) => !rule.exceptions?.[path]).flatMap(file => wordHits(file, rule));
}

export function unneededExceptions(files: readonly SourceFile[], name: string): string[] {
  const rule = WORD_RULES[name] as WordRule;
  const needed = files.filter(file => wordHits(file, rule).length > 0).map(({ path }) => path);
  return Object.keys(rule.exceptions ?? {}).filter(path => !needed.includes(path));
}
