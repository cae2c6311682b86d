/** The settings that config.ts reads and those that the README explains, each with its default. */
import { readText } from './source-code.js';

/** Variable to its default where that is a plain number; from the code. */
export const SETTINGS_READ = readSettings(readText('src/config.ts'));
/** Variable to its default as the table states it, without marks. */
export const DOCUMENTED_VARIABLES = readTable(readText('README.md'));

function readSettings(code: string): Map<string, string | undefined> {
  const named = code.matchAll(/read\.\w+\('(\w+)'(?:,\s*(?:\{\s*fallback:\s*)?(\d[\d_.]*))?/g);
  const direct = code.matchAll(/\benv\.(\w+)/g);
  return new Map([...named, ...direct].map(([, name = '', fallback]) => [name, fallback?.replaceAll('_', '')]));
}

function readTable(markdown: string): Map<string, string> {
  const [, section = ''] = markdown.split(/^## Configuration$/m);
  const rows = section.split(/^## /m, 1)[0]?.matchAll(/^\| (`[^|]+`) \| ([^|]*) \|/gm) ?? [];
  return new Map(
    [...rows].flatMap(([, names = '', fallback = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']): [string, string] => [name, fallback.replace(/[`, ]/g, '')]),
    ),
  );
}
