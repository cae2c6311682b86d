/** The table of docs/hooks.md: what was tried in which host, and what happened. */
import { readFile, writeFile } from 'node:fs/promises';

export interface Row {
  host: string;
  scenario: string;
  reached: string;
  exitCodes: readonly (number | null)[];
  seen: readonly string[];
  left: readonly string[];
}

const START = '<!-- Written by `UPDATE_HOSTS=1 npm run test:hosts` -->';
const END = '<!-- End of what `npm run test:hosts` writes -->';
const PAGE = new URL('../../docs/hooks.md', import.meta.url);

/** @param notes sentences about hosts that were not tried */
export function markdown(rows: readonly Row[], notes: readonly string[]): string {
  const lines = rows.map(({ host, scenario, reached, exitCodes, seen, left }) => {
    const person =
      seen.length === 0 ? 'only the answer' : seen.map(line => `\`${line.replaceAll('|', '\\|')}\``).join('<br>');
    const cells = [
      host,
      scenario,
      reached,
      [...new Set(exitCodes)].join(', '),
      person,
      left.length === 0 ? 'none' : left.length,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = '| Host | Tried | Of the memories, the model got | Exit code | The person saw | Left over |';
  return [...notes, ...(notes.length > 0 ? [''] : []), head, '|---|---|---|---|---|---|', ...lines].join('\n');
}

/** Replaces the table in docs/hooks.md. */
export async function writeTable(table: string): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const from = page.indexOf(START);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error('docs/hooks.md has no place for the table');
  await writeFile(PAGE, `${page.slice(0, from + START.length)}\n${table}\n${page.slice(to)}`);
}
