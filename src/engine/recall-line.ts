/**
 * Queues recalls. Recalls share a processor, so many parallel recalls would all finish late and delay all other
 * requests. When the queue is so long that an answer would come too late, a recall is refused at once.
 */
import pLimit from 'p-limit';
import { MemoryError } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';

const AT_ONCE = 4;
/**
 * Maximum wait of a recall. It is short, because assistants abandon a tool call after some tens of seconds, and need
 * part of that time for other calls.
 */
const WAIT_MAX_MS = 5_000;
/** Number of recalls that may always wait, even if the last recalls were slow. */
const WAITING_MIN = 8;
/**
 * Weight of the latest duration in the mean. A duration that is shorter than the mean has a higher weight, because a
 * slow phase may be over.
 */
const LONGER_SHARE = 0.1;
const SHORTER_SHARE = 0.5;

export interface RecallLine {
  /** @throws MemoryError `too_many_requests` when the recall would have to wait too long */
  inTurn<Answer>(recall: () => Promise<Answer>): Promise<Answer>;
}

export function createRecallLine(clock: Pick<Clock, 'elapsedMs'>): RecallLine {
  const limit = pLimit(AT_ONCE);
  let meanMs = 0;
  const timed = async <Answer>(recall: () => Promise<Answer>): Promise<Answer> => {
    const startedMs = clock.elapsedMs();
    try {
      return await recall();
    } finally {
      const durationMs = clock.elapsedMs() - startedMs;
      const share = durationMs < meanMs ? SHORTER_SHARE : LONGER_SHARE;
      meanMs = meanMs === 0 ? durationMs : meanMs + share * (durationMs - meanMs);
    }
  };
  return {
    inTurn: async recall => {
      // Forget past durations when the queue is empty, because they do not predict the next durations.
      if (limit.activeCount + limit.pendingCount === 0) meanMs = 0;
      const waitMs = (limit.pendingCount / AT_ONCE) * meanMs;
      if (limit.pendingCount >= WAITING_MIN && waitMs > WAIT_MAX_MS) throw tooMany(limit.pendingCount, waitMs);
      const joinedMs = clock.elapsedMs();
      return limit(() => {
        // Check the wait again, because the earlier recalls may have taken longer than expected. Refusing this recall
        // shortens the wait of the recalls queued after it.
        const waitedMs = clock.elapsedMs() - joinedMs;
        if (waitedMs > WAIT_MAX_MS) throw tooMany(limit.pendingCount, waitedMs);
        return timed(recall);
      });
    },
  };
}

function tooMany(waitingCount: number, waitMs: number): MemoryError {
  const seconds = Math.ceil(waitMs / 1000);
  return new MemoryError('too_many_requests', 'Too many recalls at once', {
    hint: `${waitingCount} recalls are waiting, which will take about ${seconds} seconds. Try again after that.`,
    retryAfterMs: waitMs,
  });
}
