/** Determines the time bounds of a recall. */
import { lengthProblem } from '../../domain/bounds.js';
import { invalidField } from '../../domain/errors.js';
import { type RecallQuery, TIME_QUERY_MAX_LENGTH } from '../../domain/recall-query.js';
import type { Now } from '../../time/calendar.js';
import { readTime, unreadableTime } from '../../time/stated-time.js';
import { readTimeWords, type TimeWindow } from '../../time/time-window.js';

export type Window = Pick<TimeWindow, 'fromMs' | 'toMs'>;

/**
 * Reads the window of `time_query`. An explicit `start` or `end` replaces the start or the end of this window. Beside
 * an explicit bound, an unreadable `time_query` is ignored.
 *
 * @throws MemoryError `invalid` for an unreadable time expression, or when the start is after the end
 */
export async function readWindow({ time_query: phrase, start, end }: RecallQuery, now: Now): Promise<Window> {
  const hasBounds = start !== undefined || end !== undefined;
  const said = phrase === undefined ? {} : await readPhrase(phrase, now, !hasBounds);
  const startMs = start === undefined ? undefined : await readTime(start, { field: 'start', now });
  const endMs = end === undefined ? undefined : await readTime(end, { field: 'end', now, side: 'end' });
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

async function readPhrase(phrase: string, now: Now, mustBeReadable: boolean): Promise<Window> {
  const problem = lengthProblem(phrase, TIME_QUERY_MAX_LENGTH);
  const window = problem === undefined && (await readTimeWords(phrase, { ...now, meant: 'last' }));
  if (window) return window;
  if (!mustBeReadable) return {};
  if (problem !== undefined) throw invalidField('time_query', problem);
  throw unreadableTime('time_query', phrase, 'Try "last 7 days", "yesterday" or "in May 2024"');
}
