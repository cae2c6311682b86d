/**
 * Counts the work of a function without a clock. V8 counts how often each block of our code runs: a block within two
 * loops over the same list runs four times as often for twice the list. Built-in functions have no blocks, so the steps
 * of those that walk a list, such as `includes` and spreading, are counted by wrappers.
 */
import { Session } from 'node:inspector/promises';

const OUR_CODE = '/src/';

/** How often each block of our code ran, by file, function and position, and the steps of built-in functions by name. */
export type Work = ReadonlyMap<string, number>;

export interface WorkCounter {
  workOf(task: () => Promise<unknown>): Promise<Work>;
  stop(): Promise<void>;
}

interface Coverage {
  result: {
    url: string;
    functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
  }[];
}

/**
 * Starts a counter. Code that was compiled before has no counters in its blocks, so the caller imports what it measures
 * afterwards.
 */
export async function startCounting(): Promise<WorkCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  // Each call returns the counts since the call before.
  const take = async () => ((await session.post('Profiler.takePreciseCoverage')) as Coverage).result;
  return {
    workOf: async task => {
      await take();
      const walks = countWalks();
      await task().finally(walks.stop);
      return new Map([...walks.steps, ...blocksOf(await take())]);
    },
    stop: async () => {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}

function blocksOf(scripts: Coverage['result']): [string, number][] {
  return scripts
    .filter(({ url }) => url.includes(OUR_CODE))
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges }) =>
        ranges.map(({ startOffset, count }): [string, number] => [
          `${url.slice(url.lastIndexOf(OUR_CODE) + 1)} ${functionName} ${startOffset}`,
          count,
        ]),
      ),
    );
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
/** The number of elements that a call has walked over. */
type StepsOf = (list: unknown[], answer: unknown, args: unknown[]) => number;

const { indexOf } = Array.prototype;
const upTo: StepsOf = (list, place) => (Number(place) < 0 ? list.length : Number(place) + 1);
const downTo: StepsOf = (list, place) => list.length - Math.max(0, Number(place));
const whole: StepsOf = list => list.length;
const ofAnswer: StepsOf = (_, answer) => (answer as unknown[]).length;

const LIST_METHODS: Record<string, StepsOf> = {
  includes: (list, _, [item]) => upTo(list, indexOf.call(list, item), []),
  indexOf: upTo,
  lastIndexOf: downTo,
  join: whole,
  shift: whole,
  unshift: whole,
  reverse: whole,
  splice: (list, removed, [start]) => (removed as unknown[]).length + Math.max(0, list.length - Number(start)),
  slice: ofAnswer,
  concat: ofAnswer,
  flat: ofAnswer,
};
/** Spreading and `for … of` call `next` of these iterators once for each element. */
const ITERATORS = { Array: [].values(), Map: new Map().values(), Set: new Set().values() };

/** Wraps the built-in functions that walk lists, until `stop` is called. */
function countWalks(): { steps: Map<string, number>; stop: () => void } {
  const steps = new Map<string, number>();
  const restorers: (() => void)[] = [];
  const wrap = (prototype: object, name: string, { label, stepsOf }: { label: string; stepsOf: StepsOf }) => {
    const property = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor & { value: Method };
    const method = property.value;
    let count = 0;
    Object.defineProperty(prototype, name, {
      ...property,
      value(this: unknown[], ...args: unknown[]) {
        const answer = method.apply(this, args);
        count += stepsOf(this, answer, args);
        return answer;
      },
    });
    restorers.push(() => {
      Object.defineProperty(prototype, name, property);
      steps.set(label, count);
    });
  };
  for (const [name, stepsOf] of Object.entries(LIST_METHODS)) {
    wrap(Array.prototype, name, { label: `Array.${name}`, stepsOf });
  }
  for (const [label, iterator] of Object.entries(ITERATORS)) {
    wrap(Object.getPrototypeOf(iterator), 'next', { label: `iteration of ${label}`, stepsOf: () => 1 });
  }
  return {
    steps,
    stop: () => {
      for (const restore of restorers.reverse()) restore();
    },
  };
}
