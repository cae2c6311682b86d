/**
 * Counts the work of a function without a clock: V8 counts how often each block of `src/recall` runs. The body of a loop
 * within a loop over the same list runs four times as often for twice the list.
 */
import { Session } from 'node:inspector/promises';

const OUR_CODE = '/src/recall/';

interface Coverage {
  result: {
    url: string;
    functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
  }[];
}

/** @returns how often each block ran, by its file, function and position */
export async function countedWork(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await work();
    const { result } = (await session.post('Profiler.takePreciseCoverage')) as Coverage;
    const counts = new Map<string, number>();
    for (const { url, functions } of result.filter(each => each.url.includes(OUR_CODE))) {
      const file = url.slice(url.lastIndexOf(OUR_CODE) + 1);
      for (const { functionName, ranges } of functions) {
        for (const { startOffset, count } of ranges) counts.set(`${file} ${functionName} ${startOffset}`, count);
      }
    }
    return counts;
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}
