/** Waits for work in this process without a clock. */

/** Enough turns of the event loop for several batches, if these wait only for the event loop. */
const TURNS = 40;

/** Yields to the event loop `turns` times, so that work that needs no timer continues. */
export async function letWorkRun(turns = TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve));
}

/** Yields to the event loop until the condition holds. If it never holds, the test ends by its own time limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(resolve => setImmediate(resolve));
}

export interface Gate {
  /** Waits until the gate is open. */
  pass(): Promise<void>;
  open(): void;
}

/** Creates a gate that holds back every caller of `pass` until the gate is opened. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { pass: () => opened, open };
}
