/** Reads for many ids in several statements: each ends well within the time limit and below the rows a server gives. */

const PART = 2_000;

export async function inParts<Row>(
  keys: readonly string[],
  read: (part: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < keys.length; start += PART) {
    for (const row of await read(keys.slice(start, start + PART))) rows.push(row);
  }
  return rows;
}
