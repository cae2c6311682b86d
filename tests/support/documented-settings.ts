/** The settings that config.ts and memory-place.ts read, and the settings that two pages explain, each with its default. */
import { readText } from './source-code.js';

/** Each variable that the code reads, with its default if the default is a plain number. */
export const SETTINGS_READ = readSettings(readText('src/config.ts') + readText('src/memory-place.ts'));
/** Each variable in docs/configuration.md and docs/tuning.md with its default, without markup. */
export const DOCUMENTED_VARIABLES = readTable(readText('docs/configuration.md') + readText('docs/tuning.md'));

function readSettings(code: string): Map<string, string | undefined> {
  const named = code.matchAll(/read\.\w+\('(\w+)'(?:,\s*(?:\{\s*fallback:\s*)?(\d[\d_.]*))?/g);
  const direct = code.matchAll(/\benv\.(\w+)/g);
  return new Map([...named, ...direct].map(([, name = '', fallback]) => [name, fallback?.replaceAll('_', '')]));
}

function readTable(markdown: string): Map<string, string> {
  const rows = markdown.matchAll(/^\| (`[^|]+`) \| ([^|]*) \|/gm);
  return new Map(
    [...rows].flatMap(([, names = '', fallback = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']): [string, string] => [name, fallback.replace(/[`, ]/g, '')]),
    ),
  );
}
