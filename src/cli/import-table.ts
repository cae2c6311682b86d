/** Formats the result of an import or of a dry run as a table. */
import { onOneLine } from '../domain/visible-text.js';
import type { LeftOutGroup, LeftOutRecords } from '../transfer/import-file.js';
import type { ImportedRecords } from '../transfer/import-records.js';

const PLACE_MAX = 60;

/** @returns a header, one line for each kind of record, and one line for each reason why records were left out */
export function importTable({ kinds, leftOut }: Pick<ImportedRecords, 'kinds' | 'leftOut'>): string[] {
  const rows = [...kinds]
    .sort(([, one], [, other]) => other.count - one.count)
    .map(([kind, { count, first, last }]) => [
      kind,
      String(count),
      first?.slice(0, 10) ?? '',
      last?.slice(0, 10) ?? '',
      String(leftOut.countIn(kind)),
    ]);
  return [...aligned([['kind', 'memories', 'first', 'last', 'left out'], ...rows]), ...reasonLines(leftOut)];
}

/** @returns one line for each reason, with the first places */
export function reasonLines(leftOut: LeftOutRecords): string[] {
  return leftOut.groups().map(reasonLine);
}

function reasonLine({ kind, count, problem, places, severity }: LeftOutGroup): string {
  const shown = places.map(beginning).join('; ');
  const more = count > places.length ? `; and ${count - places.length} more` : '';
  const outcome = severity === 'expected' ? 'passed over' : 'left out';
  return `${kind} ${outcome}: ${count}, because ${clauseOf(problem)}: ${shown}${more}`;
}

/** A problem is a predicate of the record, or a sentence of its own, such as the message of an error. */
function clauseOf(problem: string): string {
  return /^[a-z]/.test(problem) ? `the record ${problem}` : problem.replace(/^The /, 'the ');
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? [];
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function beginning(place: string): string {
  const line = onOneLine(place);
  return line.length > PLACE_MAX ? `${line.slice(0, PLACE_MAX)}…` : line;
}
