/** Asking a store that may not answer. */
import { messageOf } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';

/** Longest wait for a store: whatever asks several of them side by side answers within two seconds. */
const STORE_DEADLINE_MS = 1_500;

/** The value, or the problem when it fails or takes too long. */
export async function attempt<Value>(
  clock: Clock,
  read: () => Promise<Value>,
): Promise<{ value: Value; problem?: never } | { value: null; problem: string }> {
  let cancel = () => {};
  const deadline = new Promise<never>((_resolve, reject) => {
    const late = new Error(`no answer within ${STORE_DEADLINE_MS / 1000} seconds`);
    cancel = clock.schedule(STORE_DEADLINE_MS, () => reject(late));
  });
  try {
    return { value: await Promise.race([read(), deadline]) };
  } catch (error) {
    return { value: null, problem: messageOf(error) };
  } finally {
    cancel();
  }
}
