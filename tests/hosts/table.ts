/** The table of docs/hooks.md: what was tried in which host, and what happened. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Reached } from './reached.js';

export interface Row {
  /** Name and version. */
  host: string;
  scenario: string;
  reached: Reached;
  exitCodes: readonly (number | null)[];
  /** Lines beside the answer. */
  seen: readonly string[];
  /** Processes that are still running. */
  left: readonly string[];
}

const START = '<!-- Written by `UPDATE_HOSTS=1 npm run test:hosts` -->';
const END = '<!-- End of what `npm run test:hosts` writes -->';
const PAGE = new URL('../../docs/hooks.md', import.meta.url);

/**
 * One column for each host. Scenarios with the same outcome in every host share a row.
 *
 * @param notes sentences about hosts that were not tried
 */
export function markdown(rows: readonly Row[], notes: readonly string[]): string {
  const hosts = [...new Set(rows.map(({ host }) => host))];
  const places = hosts.map(host => {
    const roles = rows.filter(row => row.host === host).flatMap(({ reached }) => reached.roles);
    return [...new Set(roles)].map(role => `\`${role}\``).join(', ') || '–';
  });
  const named = new Map<string, string[]>();
  for (const scenario of new Set(rows.map(row => row.scenario))) {
    const cells = hosts.map(host => rows.find(row => row.host === host && row.scenario === scenario));
    const line = cells.map(row => (row === undefined ? '–' : cell(row))).join(' | ');
    named.set(line, [...(named.get(line) ?? []), scenario]);
  }
  const lines = [...named].map(([line, scenarios]) => [scenarios.join('<br>'), line]);
  const table = [['', ...hosts], ['---', ...hosts.map(() => '---')], ['role of the message', ...places], ...lines];
  return [...notes.flatMap(note => [note, '']), ...table.map(line => `| ${line.join(' | ')} |`)].join('\n');
}

function cell({ reached, exitCodes, seen, left }: Row): string {
  const codes = [...new Set(exitCodes)].filter(code => code !== 0);
  const remarks = [
    ...(codes.length > 0 ? [`exit code ${codes.join(', ')}`] : []),
    ...seen.map(line => `seen: "${line.replaceAll('|', '\\|')}"`),
    ...(left.length > 0 ? [`${left.length} processes left over`] : []),
  ];
  return [reached.memories, ...remarks].join('; ');
}

/** Replaces the table in docs/hooks.md. */
export async function writeTable(table: string): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const from = page.indexOf(START);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error('docs/hooks.md has no place for the table');
  await writeFile(PAGE, `${page.slice(0, from + START.length)}\n\n${table}\n\n${page.slice(to)}`);
}
