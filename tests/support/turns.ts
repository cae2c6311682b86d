/** Waiting for work in this process without a clock. */

/** Enough for a pass of some batches; none of it waits for anything but its turn. */
const TURNS = 40;

/** Lets whatever can go on without a timer go on until it is done. */
export async function letWorkRun(turns = TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve));
}

/** Lets others run until the condition holds. Where it never does, the test ends by its own limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(resolve => setImmediate(resolve));
}

export interface Gate {
  /** Waits until the gate is open. */
  pass(): Promise<void>;
  open(): void;
}

/** Holds back whoever comes to it. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { pass: () => opened, open };
}
