/** Queries a store that may not answer. */
import { messageOf } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import { withinLimit } from '../time-limit.js';

/** Time limit for the answer of a store. A caller that queries the stores in parallel can then answer within 2 s. */
const STORE_DEADLINE_MS = 1_500;

/** Returns the value, or the problem when the call fails or takes too long. */
export async function attempt<Value>(
  clock: Clock,
  read: () => Promise<Value>,
): Promise<{ value: Value; problem?: never } | { value: null; problem: string }> {
  const late = () => new Error(`no answer within ${STORE_DEADLINE_MS / 1000} seconds`);
  try {
    return { value: await withinLimit(read(), { clock, limitMs: STORE_DEADLINE_MS, late }) };
  } catch (error) {
    return { value: null, problem: messageOf(error) };
  }
}
