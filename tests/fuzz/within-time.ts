/** A bound on the time of one case that holds on a busy machine too. */

/** A machine may be busy with something else for one attempt, hardly for each of them. */
const ATTEMPTS = 4;

/** The result of the first attempt; fails when each of some attempts takes longer than the time. */
export async function withinTime<Result>(attempt: () => Promise<Result>, maxMs = Infinity): Promise<Result> {
  const first = await timed(attempt);
  let bestMs = first.tookMs;
  for (let count = 1; count < ATTEMPTS && bestMs > maxMs; count++) {
    bestMs = Math.min(bestMs, (await timed(attempt)).tookMs);
  }
  if (bestMs > maxMs) throw new Error(`It took ${Math.round(bestMs)} ms, the best of ${ATTEMPTS} attempts`);
  return first.result;
}

async function timed<Result>(attempt: () => Promise<Result>): Promise<{ result: Result; tookMs: number }> {
  const startedMs = performance.now();
  return { result: await attempt(), tookMs: performance.now() - startedMs };
}
