/** Queues work for many memories in steps. Each step ends well within the time limit. */
import type { Connection } from './connection.js';
import { modelNumber, NO_MODEL } from './record.js';
import type { Parameters } from './values.js';
import { NO_WORK, startOver, startOverParameters, workFields } from './work-fields.js';

/** Number of nodes that one statement writes. */
const STEP = 2_000;

/** Reads only the index entries of models outside `models`. If all memories are up to date, no such entry exists. */
export async function requeueOutdated(connection: Connection, models: readonly string[]): Promise<number> {
  const match = `MATCH (m:Memory)
    WHERE m._model >= $least AND m._model <= $most AND m.${workFields('embed').state} = '${NO_WORK}'`;
  let total = 0;
  for (const gap of gapsBetween(models.map(modelNumber))) {
    total += await startOverAll(connection, match, { ...gap, ...startOverParameters(['embed'], false) });
  }
  return total;
}

/**
 * Restarts the work of all memories that `match` finds as `m`, until `match` finds no more.
 *
 * @returns the number of memories
 */
export async function startOverAll(connection: Connection, match: string, parameters: Parameters): Promise<number> {
  const statement = `${match} WITH m LIMIT ${STEP} ${startOver('m')} RETURN count(m) AS count`;
  for (let total = 0; ; ) {
    const [row] = await connection.write<{ count: number }>(statement, parameters);
    total += row?.count ?? 0;
    if ((row?.count ?? 0) < STEP) return total;
  }
}

function gapsBetween(numbers: readonly number[]): { least: number; most: number }[] {
  const bounds = [NO_MODEL - 1, ...numbers.toSorted((a, b) => a - b), Number.MAX_SAFE_INTEGER];
  return bounds
    .slice(1)
    .map((bound, index) => ({ least: (bounds[index] ?? 0) + 1, most: bound - 1 }))
    .filter(({ least, most }) => least <= most);
}
