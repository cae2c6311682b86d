/** Formats the result of an import or of a dry run as a table. */
import { onOneLine } from '../domain/visible-text.js';
import type { ImportedRecords } from '../transfer/import-records.js';

const PLACE_MAX = 60;

/** @returns a header, one line for each kind of record, and one line for each reason why records were left out */
export function importTable(imported: ImportedRecords): string[] {
  const kinds = [...imported.kinds].sort(([, one], [, other]) => other.count - one.count);
  const rows = kinds.map(([kind, { count, first, last, leftOut }]) => [
    kind,
    String(count),
    first?.slice(0, 10) ?? '',
    last?.slice(0, 10) ?? '',
    String([...leftOut.values()].reduce((sum, reason) => sum + reason.count, 0)),
  ]);
  const reasons = kinds.flatMap(([kind, { leftOut }]) =>
    [...leftOut].map(
      ([problem, { count, place }]) =>
        `${kind} left out: ${count}, because the record ${problem}. Example: ${beginning(place)}`,
    ),
  );
  return [...aligned([['kind', 'memories', 'first', 'last', 'left out'], ...rows]), ...reasons];
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
