/** The settings that config.ts reads and those that two pages explain, each with its default. */
import { readText } from './source-code.js';

/** Variable to its default where that is a plain number; from the code. */
export const SETTINGS_READ = readSettings(readText('src/config.ts'));
/** Variable to its default as docs/configuration.md or docs/tuning.md states it, without marks. */
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
