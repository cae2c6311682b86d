/** A check got no answer within its time. On a busy machine that does not mean that something is broken. */
import { availableParallelism, loadavg } from 'node:os';

export class LateError extends Error {
  override readonly name = 'LateError';
}

/** Says how busy the machine is. Undefined if it is not, and on Windows, which does not report its load. */
export function busyNote(): string | undefined {
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  return load > cores ? `The machine is busy (load ${load.toFixed(1)} on ${cores} cores)` : undefined;
}
