/** Reads the vectors of many memories, a few at a time. */
import type { PlanContext } from '../planner.js';

const READ_AT_ONCE = 100;

export async function readVectors(
  { vectors, onPage }: Pick<PlanContext, 'vectors' | 'onPage'>,
  ids: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
    await onPage();
    const page = await vectors.vectorsOf(ids.slice(start, start + READ_AT_ONCE));
    for (const [id, vector] of page) found.set(id, vector);
  }
  return found;
}
