/** Programming languages: the names by which memories mention them, and the extensions of their files. */
import KNOWN from './languages.json' with { type: 'json' };

export interface Language {
  names: readonly string[];
  extensions: readonly string[];
}

/** The list only defines aliases: any other name stands for itself. */
const LANGUAGES: readonly Language[] = KNOWN.languages;

/** Files whose full name determines their language. */
const LANGUAGE_BY_FILE: ReadonlyMap<string, string> = new Map(Object.entries(KNOWN.files));

/** Finds a language by name. A language that is not in the list has only the given name. */
export function languageOfName(name: string): Language | undefined {
  const key = nameKey(name);
  if (key === '') return undefined;
  return LANGUAGES.find(({ names }) => names.includes(key)) ?? { names: [key], extensions: [] };
}

export function languageOfPath(path: string): Language | undefined {
  const file = path.trim().toLowerCase().split(/[/\\]/).at(-1) ?? '';
  const known = LANGUAGE_BY_FILE.get(file);
  if (known !== undefined) return languageOfName(known);
  const extension = /\.([^.]+)$/.exec(file)?.[1];
  return extension === undefined ? undefined : LANGUAGES.find(({ extensions }) => extensions.includes(extension));
}

/** Normalises a name for comparison: lower case, parts joined by one hyphen. */
export function nameKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
}
