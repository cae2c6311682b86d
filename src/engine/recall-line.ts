/**
 * Recalls in turn. They share a processor: many at once would all end late, and keep everything else waiting meanwhile. Where
 * the line has become so long that an answer would come too late, a recall is refused at once.
 */
import pLimit from 'p-limit';
import { MemoryError } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';

const AT_ONCE = 4;
/** An assistant gives up on a tool after some tens of seconds, and it has other calls to make in that time. */
const WAIT_MAX_MS = 5_000;
/** So many may wait however slow the last ones were. */
const WAITING_MIN = 8;
/** Weight of the latest duration in the mean. A shorter one weighs more: what was slow may be over. */
const LONGER_SHARE = 0.1;
const SHORTER_SHARE = 0.5;

export interface RecallLine {
  /** @throws MemoryError `too_many_requests` where its turn would come too late */
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
      // Nobody waits: how long the last ones took says nothing of those that come now.
      if (limit.activeCount + limit.pendingCount === 0) meanMs = 0;
      const waitMs = (limit.pendingCount / AT_ONCE) * meanMs;
      if (limit.pendingCount >= WAITING_MIN && waitMs > WAIT_MAX_MS) throw tooMany(limit.pendingCount, waitMs);
      const joinedMs = clock.elapsedMs();
      return limit(() => {
        // Those before it took longer than expected. The others behind it wait no longer for an answer that comes too late.
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
    hint: `${waitingCount} recalls wait, and their turn comes after about ${seconds} seconds. Ask again after that.`,
    retryAfterMs: waitMs,
  });
}
