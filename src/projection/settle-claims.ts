/** Ends the claims of embedded memories, in smaller groups if the memories have many tags. */
import { inSteps } from '../event-loop.js';
import type { WorkQueue } from '../stores/ports/work-queue.js';
import type { EmbeddedClaim } from './vector-projection.js';

/**
 * A group of claims is complete when its memories together have at least this number of tag prefixes. One turn of the
 * event loop writes the index entries of one group.
 */
const LEVELS_PER_TURN = 400;

/** @returns the tokens of the claims whose results were applied */
export async function settleClaims(
  graph: Pick<WorkQueue, 'settleWork'>,
  embedded: readonly EmbeddedClaim[],
): Promise<string[]> {
  const settled: string[] = [];
  for (const model of new Set(embedded.map(each => each.model))) {
    for await (const portion of inSteps(portionsOf(embedded.filter(each => each.model === model)))) {
      const vectors = new Map(portion.map(({ claim, vector }) => [claim.token, vector]));
      settled.push(...(await graph.settleWork([...vectors.keys()], { embeddedBy: model, vectors })));
    }
  }
  return settled;
}

function* portionsOf(embedded: readonly EmbeddedClaim[]): Generator<EmbeddedClaim[]> {
  let portion: EmbeddedClaim[] = [];
  let levels = 0;
  for (const each of embedded) {
    portion.push(each);
    levels += each.claim.memory.tag_prefixes.length;
    if (levels < LEVELS_PER_TURN) continue;
    yield portion;
    portion = [];
    levels = 0;
  }
  if (portion.length > 0) yield portion;
}
