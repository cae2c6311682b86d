/** Some things at once, the others in the order they came: each that is begun then ends soon. */
export type Limiter = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createLimiter(max: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;

  const end = () => {
    const next = waiting.shift();
    // The next one takes the place as it is.
    if (next) next();
    else running -= 1;
  };

  return async work => {
    if (running < max) running += 1;
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await work();
    } finally {
      end();
    }
  };
}
