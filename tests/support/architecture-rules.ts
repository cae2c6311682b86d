/** The rules of ARCHITECTURE.md as data, and the functions that name what breaks them. */
import { packageName } from './package-rules.js';
import { functionLengths, lineAt, parameterCounts, type SourceFile, targetOf } from './source-code.js';

interface Part {
  /** Parts it may import. */
  imports?: readonly string[];
  /** Parts of which it may know the types only. */
  types?: readonly string[];
  /** Packages and Node modules it may import; `node:*` is all of Node. */
  packages?: readonly string[];
}

/** Every part of src: a folder, or a file where the files of a folder differ. ARCHITECTURE.md shows the same table. */
export const PARTS: Record<string, Part> = {
  domain: { packages: ['stemmer', 'node:crypto'] },
  'request-context': { packages: ['node:async_hooks'] },
  'event-loop': { packages: ['node:timers/promises'] },
  thread: { packages: ['node:worker_threads'] },
  'time-limit': { types: ['domain'], packages: ['p-timeout'] },
  log: { imports: ['domain', 'request-context'] },
  config: { imports: ['log', 'domain'], packages: ['node:os', 'node:path'] },
  packages: {
    packages: [
      '@anthropic-ai/sdk',
      '@huggingface/tokenizers',
      '@modelcontextprotocol/sdk',
      '@qdrant/js-client-rest',
      'chrono-node',
      'onnxruntime-web',
      'openai',
    ],
  },
  stores: { types: ['domain', 'stores/store-watch'] },
  'stores/circuit-breaker': { imports: ['domain'] },
  'stores/store-watch': { imports: ['domain'] },
  'stores/under-lease': { imports: ['domain'], types: ['stores'] },
  'stores/text-plan': { imports: ['domain'], types: ['stores'] },
  'stores/store-writes': { types: ['stores'] },
  'stores/write-guard': { imports: ['domain', 'stores/store-writes'], types: ['stores'] },
  'stores/database': {
    imports: ['thread', 'domain'],
    types: ['stores'],
    packages: ['p-timeout', 'libsql', 'node:worker_threads'],
  },
  'stores/data-folder': { imports: ['domain'], packages: ['libsql', 'node:*'] },
  'stores/sqlite': {
    imports: ['thread', 'event-loop', 'domain', 'stores/database', 'stores/embedded-vectors', 'stores/text-plan'],
    types: ['stores'],
    packages: ['p-limit', 'libsql', 'node:*'],
  },
  'stores/falkordb': {
    imports: ['domain', 'stores', 'stores/text-plan'],
    packages: ['@redis/client', 'p-limit', 'node:*'],
  },
  'stores/embedded-vectors': {
    imports: ['thread', 'event-loop', 'domain', 'stores/database'],
    types: ['stores'],
    packages: ['p-limit', 'node:*'],
  },
  'stores/qdrant': {
    imports: ['domain', 'packages'],
    types: ['stores'],
    packages: ['@qdrant/js-client-rest', 'node:*'],
  },
  'embedding/embedder': { types: ['domain'] },
  'embedding/model-profiles': {},
  'embedding/local': {
    imports: ['thread', 'domain', 'packages', 'embedding/model-profiles'],
    types: ['embedding/embedder'],
    packages: ['onnxruntime-web', '@huggingface/tokenizers', 'node:*'],
  },
  embedding: {
    imports: ['event-loop', 'domain', 'packages', 'embedding/model-profiles', 'embedding/local'],
    types: ['embedding/embedder'],
    packages: ['p-retry'],
  },
  time: { imports: ['event-loop', 'domain', 'packages'], packages: ['chrono-node'] },
  statement: { imports: ['domain'] },
  recall: {
    imports: ['time-limit', 'event-loop', 'domain', 'time', 'statement'],
    types: ['stores', 'embedding/embedder'],
    packages: ['chrono-node'],
  },
  'language-model': { imports: ['domain', 'packages'], packages: ['zod'] },
  projection: { imports: ['event-loop', 'domain'], types: ['stores'] },
  enrichment: {
    imports: ['event-loop', 'domain'],
    types: ['stores', 'projection', 'embedding/embedder', 'language-model'],
    packages: ['p-limit'],
  },
  maintenance: { imports: ['domain', 'projection', 'stores/under-lease'], types: ['stores'] },
  'maintenance/migrate': { imports: ['domain', 'stores'], types: ['projection'], packages: ['node:crypto'] },
  consolidation: {
    imports: ['event-loop', 'domain', 'statement', 'stores/under-lease'],
    types: ['stores', 'projection'],
    packages: ['node:crypto'],
  },
  insight: {
    imports: ['time-limit', 'event-loop', 'domain'],
    types: ['stores', 'stores/store-watch', 'embedding/embedder'],
  },
  'engine/workers': {
    imports: ['domain', 'enrichment'],
    types: ['config', 'log', 'stores', 'projection', 'embedding/embedder'],
  },
  'engine/work-status': { types: ['domain', 'stores', 'enrichment', 'language-model'] },
  'engine/new-records': {
    imports: ['event-loop', 'domain', 'enrichment'],
    types: ['stores', 'projection', 'embedding/embedder'],
    packages: ['node:crypto'],
  },
  'engine/write': {
    imports: ['event-loop', 'domain', 'enrichment', 'engine/new-records'],
    types: ['stores', 'projection', 'engine/workers'],
  },
  'engine/associate': { imports: ['domain'], types: ['stores'] },
  'engine/clock': { imports: ['request-context'], types: ['domain'] },
  'engine/adoption': { imports: ['maintenance'], types: ['domain', 'log', 'stores', 'engine/workers'] },
  'engine/maintenance': {
    imports: ['domain', 'stores/under-lease', 'enrichment', 'maintenance', 'engine/adoption'],
    types: ['config', 'log', 'stores', 'projection', 'embedding/embedder', 'engine/workers'],
    packages: ['node:crypto'],
  },
  'engine/consolidation': {
    imports: ['event-loop', 'domain', 'consolidation'],
    types: ['config', 'log', 'stores', 'projection', 'embedding/embedder', 'engine/workers'],
    packages: ['node:crypto'],
  },
  'engine/open-stores': {
    imports: [
      'stores/circuit-breaker',
      'stores/store-watch',
      'stores/store-writes',
      'stores/write-guard',
      'stores/database',
      'stores/data-folder',
      'stores/sqlite',
      'stores/falkordb',
      'stores/embedded-vectors',
      'stores/qdrant',
    ],
    types: ['config', 'log', 'domain', 'stores'],
    packages: ['node:fs/promises'],
  },
  'engine/read': { imports: ['domain', 'recall', 'engine/write'], types: ['stores'] },
  'engine/migrate': {
    imports: ['domain', 'projection', 'maintenance/migrate', 'engine/clock', 'engine/open-stores'],
    types: ['config', 'log'],
    packages: ['node:fs', 'node:path'],
  },
  'engine/said-times': { imports: ['domain', 'time'] },
  'engine/engine': {
    packages: ['p-limit'],
    imports: [
      'log',
      'domain',
      'engine/said-times',
      'engine/write',
      'engine/read',
      'engine/associate',
      'engine/work-status',
      'engine/workers',
      'recall',
      'insight',
    ],
    types: [
      'config',
      'stores',
      'projection',
      'embedding/embedder',
      'enrichment',
      'language-model',
      'consolidation',
      'engine/maintenance',
    ],
  },
  'engine/read-only': { imports: ['domain'], types: ['engine/engine'] },
  'engine/open': {
    imports: [
      'log',
      'domain',
      'embedding',
      'language-model',
      'projection',
      'enrichment',
      'engine/clock',
      'engine/open-stores',
      'engine/workers',
      'engine/maintenance',
      'engine/consolidation',
      'engine/engine',
    ],
    types: ['config', 'stores/data-folder'],
  },
  api: { imports: ['event-loop', 'domain'], types: ['engine/engine'], packages: ['zod', 'node:crypto'] },
  client: { types: ['api'] },
  http: {
    imports: ['event-loop', 'domain', 'packages', 'api', 'request-context'],
    types: ['config', 'log', 'engine/engine'],
    packages: [
      'hono',
      '@hono/node-server',
      '@modelcontextprotocol/sdk',
      'prom-client',
      'rate-limiter-flexible',
      'node:*',
    ],
  },
  mcp: {
    imports: ['event-loop', 'domain', 'packages', 'api', 'client', 'request-context'],
    types: ['log'],
    packages: ['@modelcontextprotocol/sdk', '@secretlint/secretlint-rule-preset-recommend', 'zod', 'node:*'],
  },
  sharing: {
    imports: [
      'domain',
      'api',
      'client',
      'http',
      'request-context',
      'stores/data-folder',
      'engine/open',
      'engine/open-stores',
      'engine/read-only',
    ],
    types: ['config', 'log', 'engine/engine'],
    packages: ['hono', 'node:*'],
  },
  cli: {
    imports: ['config', 'log', 'domain', 'engine/clock', 'engine/migrate', 'client', 'http', 'mcp', 'sharing'],
    packages: ['node:*'],
  },
  index: { imports: ['config', 'domain', 'engine/open', 'engine/read-only'], types: ['engine/engine'] },
};

interface WordRule {
  pattern: RegExp;
  /** Folders and files that the rule is not about. */
  allowed: readonly string[];
  /** Files that break it with a reason. One that no longer does must go from this list. */
  exceptions?: Record<string, string>;
}

export const WORD_RULES: Record<string, WordRule> = {
  'no any': {
    pattern: /\bany\b/g,
    allowed: [],
    exceptions: {
      'src/stores/qdrant/filter.ts': 'the name of a condition in Qdrant filters',
    },
  },
  'only config.ts reads the environment': {
    pattern: /\bprocess\s*(?:\.\s*env\b|\[)|\benv\b[^}\n]*\}\s*=\s*process\b/g,
    allowed: ['src/config.ts'],
    exceptions: { 'src/cli/main.ts': 'hands the environment over whole and reads no name in it' },
  },
  'only the logger and the command line print': {
    pattern: /\bconsole\s*[.[]|\bprocess\s*\.\s*(?:stdout|stderr)\b/g,
    allowed: ['src/log.ts', 'src/cli/'],
    exceptions: { 'src/mcp/stdio.ts': 'stdout is its wire' },
  },
  'only the composition root and the adapters know the time of day': {
    pattern: /\bDate\s*\.\s*now\b|\bnew Date\(\s*\)|\bperformance\b|\bhrtime\b|\bset(?:Timeout|Interval)\b/g,
    allowed: ['src/engine/clock.ts', 'src/cli/', 'src/http/', 'src/client/'],
    exceptions: {
      'src/log.ts': 'the time of a line of the log is that of the machine',
      'src/sharing/socket-fetch.ts': 'a deadline for an answer of another process, not a time of the memory',
      'src/time-limit.ts': 'names the timers of a library, which it hands the clock of the memory',
      'src/stores/falkordb/time-limit.ts': 'a limit for calls to a server, not a time of the memory',
    },
  },
  'nothing outside the command line ends the process': { pattern: /\bprocess\s*\.\s*exit\b/g, allowed: ['src/cli/'] },
  'no randomness but ids': {
    pattern: /\bMath\s*\.\s*random\b/g,
    allowed: [],
    exceptions: { 'src/engine/consolidation.ts': 'the pairs that consolidation looks at are drawn by lot' },
  },
  'the domain makes no ids': {
    pattern: /\brandom[A-Z]\w*/g,
    allowed: Object.keys(PARTS)
      .filter(part => part !== 'domain')
      .map(part => `src/${part}`),
  },
};

/** Functions that may be longer, each with its reason, by file. */
export const LONG_FUNCTIONS: Record<string, string> = {};

export const LIMITS = { file: 400, medianFile: 120, p90File: 250, function: 100, parameters: 4 };

function partOf(path: string): string | undefined {
  const name = path.replace(/^src\//, '').replace(/\.ts$/, '');
  const parts = Object.keys(PARTS).filter(part => name === part || name.startsWith(`${part}/`));
  return parts.sort((a, b) => b.length - a.length)[0];
}

export function tableRow(part: string): string {
  const cell = (names: readonly string[] = []) => names.map(name => `\`${name}\``).join(', ') || '–';
  const { imports, types, packages } = PARTS[part] ?? {};
  return `| \`${part}\` | ${cell(imports)} | ${cell(types)} | ${cell(packages)} |`;
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

/** Folders of `stores` that every part may import from. */
const STORES_FOR_ALL: ReadonlySet<string> = new Set(['src/stores/data-folder/', 'src/stores/ports/']);

export function importersOfConcreteStores(files: readonly SourceFile[]): string[] {
  const folderOf = (path: string) => /^src\/stores\/[^/]+\//.exec(path)?.[0];
  // Among each other they follow the table of parts.
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
