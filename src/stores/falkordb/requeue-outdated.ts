/** Work for many memories at once, in steps that each end well within the time limit. */
import type { Connection } from './connection.js';
import { modelNumber, NO_MODEL } from './models.js';
import { NO_WORK, startOver, startOverParameters, workFields } from './work-fields.js';

/** Nodes that one statement writes. */
const STEP = 2_000;

/** Reads the index between the models that count, which is nothing when all is up to date. */
export async function requeueOutdated(connection: Connection, models: readonly string[]): Promise<number> {
  const { state } = workFields('embed');
  let total = 0;
  for (const gap of gapsBetween(models.map(modelNumber))) {
    for (;;) {
      const [row] = await connection.write<{ count: number }>(
        `MATCH (m:Memory) WHERE m._model >= $least AND m._model <= $most AND m.${state} = '${NO_WORK}'
         WITH m LIMIT ${STEP}
         ${startOver('m')}
         RETURN count(m) AS count`,
        { ...gap, ...startOverParameters(['embed'], false) },
      );
      total += row?.count ?? 0;
      if ((row?.count ?? 0) < STEP) break;
    }
  }
  return total;
}

function gapsBetween(numbers: readonly number[]): { least: number; most: number }[] {
  const bounds = [NO_MODEL - 1, ...numbers.toSorted((a, b) => a - b), Number.MAX_SAFE_INTEGER];
  return bounds
    .slice(1)
    .map((bound, index) => ({ least: (bounds[index] ?? 0) + 1, most: bound - 1 }))
    .filter(({ least, most }) => least <= most);
}
