/**
 * Counts the work of a function without a clock: V8 counts how often each block of our own code runs. A loop within a loop
 * over the same list shows as four times the count for twice the list.
 */
import { Session } from 'node:inspector/promises';

const OUR_CODE = '/src/';

interface Coverage {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
}

export async function countedWork(work: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await work();
    const { result } = (await session.post('Profiler.takePreciseCoverage')) as Coverage;
    const ours = result.filter(({ url }) => url.includes(OUR_CODE));
    return ours
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}
