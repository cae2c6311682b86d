/** Determines the time bounds of a recall. */
import { invalidField } from '../../domain/errors.js';
import type { RecallQuery } from '../../domain/recall-query.js';
import { prepareDateParser } from '../../time/date-parser.js';
import { readTime, unreadableTime } from '../../time/stated-time.js';
import { parseTimeQuery, type TimeWindow } from '../../time/time-window.js';

export type Window = Pick<TimeWindow, 'fromMs' | 'toMs'>;

/**
 * Reads the window of `time_query`. An explicit `start` or `end` replaces the start or the end of this window.
 *
 * @throws MemoryError `invalid` for an unreadable time expression, or when the start is after the end
 */
export async function readWindow({ time_query: phrase, start, end }: RecallQuery, nowMs: number): Promise<Window> {
  const said = phrase === undefined ? {} : await readPhrase(phrase, nowMs);
  const startMs = start === undefined ? undefined : await readTime(start, { field: 'start', nowMs });
  const endMs = end === undefined ? undefined : await readTime(end, { field: 'end', nowMs, side: 'end' });
  if ((startMs ?? -Infinity) > (endMs ?? Infinity)) throw invalidField('end', 'must not be before start');
  const [fromMs, toMs] = [startMs ?? said.fromMs, endMs ?? said.toMs];
  if ((fromMs ?? -Infinity) > (toMs ?? Infinity)) {
    throw invalidField(
      'time_query',
      'and the explicit bound leave no time between them: the start must not be after the end',
    );
  }
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

async function readPhrase(phrase: string, nowMs: number): Promise<TimeWindow> {
  await prepareDateParser();
  const window = parseTimeQuery(phrase, nowMs);
  if (window) return window;
  throw unreadableTime('time_query', phrase, 'Try "last 7 days", "yesterday" or "in May 2024"');
}
