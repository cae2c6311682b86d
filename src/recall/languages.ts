/** Programming languages: the names under which memories mention them and the extensions of their files. */

interface Language {
  names: readonly string[];
  extensions: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  { names: ['python', 'py'], extensions: ['py', 'pyi', 'ipynb'] },
  { names: ['typescript', 'ts', 'tsx'], extensions: ['ts', 'tsx', 'mts', 'cts'] },
  { names: ['javascript', 'js', 'jsx'], extensions: ['js', 'jsx', 'mjs', 'cjs'] },
  { names: ['go', 'golang'], extensions: ['go'] },
  { names: ['rust', 'rs'], extensions: ['rs'] },
  { names: ['java'], extensions: ['java'] },
  { names: ['kotlin'], extensions: ['kt', 'kts'] },
  { names: ['csharp', 'c#', 'cs', 'dotnet'], extensions: ['cs'] },
  { names: ['c++', 'cpp', 'cxx'], extensions: ['cpp', 'cc', 'cxx', 'hpp', 'hh'] },
  { names: ['c'], extensions: ['c', 'h'] },
  { names: ['swift'], extensions: ['swift'] },
  { names: ['ruby', 'rb'], extensions: ['rb'] },
  { names: ['php'], extensions: ['php'] },
  { names: ['scala'], extensions: ['scala'] },
  { names: ['sql'], extensions: ['sql'] },
  { names: ['bash', 'shell', 'sh'], extensions: ['sh', 'bash', 'zsh'] },
  { names: ['css', 'scss'], extensions: ['css', 'scss'] },
  { names: ['html'], extensions: ['html', 'htm'] },
];

export type { Language };

export function languageNames(language: Language): ReadonlySet<string> {
  return new Set(language.names);
}

export function languageOfName(name: string): Language | undefined {
  const lower = name.trim().toLowerCase();
  return LANGUAGES.find(({ names }) => names.includes(lower));
}

export function languageOfPath(path: string): Language | undefined {
  const extension = /\.([^./\\]+)$/.exec(path.trim())?.[1]?.toLowerCase();
  return extension === undefined ? undefined : LANGUAGES.find(({ extensions }) => extensions.includes(extension));
}
