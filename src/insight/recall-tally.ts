/** Counts recalls, with their confidence and duration. */

import { createDurationCounter } from '../domain/durations.js';
import type { Confidence } from '../domain/recall-results.js';
import type { RecallStatistics } from '../domain/statistics.js';
import type { Clock } from '../domain/time.js';

export interface RecallTally {
  /** Runs a recall, and counts it when it is answered. */
  count<Answer extends { confidence: Confidence }>(run: () => Promise<Answer>): Promise<Answer>;
  read(): RecallStatistics;
}

export function createRecallTally(clock: Clock): RecallTally {
  const byConfidence: Record<Confidence, number> = { none: 0, low: 0, medium: 0, high: 0 };
  const durations = createDurationCounter();
  return {
    count: async run => {
      const startedMs = clock.elapsedMs();
      const answer = await run();
      byConfidence[answer.confidence] += 1;
      durations.add(clock.elapsedMs() - startedMs);
      return answer;
    },
    read: () => ({ byConfidence: { ...byConfidence }, durations: durations.read() }),
  };
}
