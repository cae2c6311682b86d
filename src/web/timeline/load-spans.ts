/** Reads memories with all that ever was, the newest first, page by page. */
import type { RecallResult } from '../../api/answers/result.js';
import type { EngraphClient } from '../../client/client.js';

/** The most that a recall returns by default. */
const PAGE = 100;
/** More relations than this do not help to find what has taken the place of a memory. */
const RELATIONS = 20;

export interface Selection {
  tags: string[];
  query: string;
  /** Only memories created until then; ISO 8601, or words. */
  end: string;
}

export interface SpanPage {
  results: RecallResult[];
  /** Where an earlier page goes on; undefined at the beginning of time. */
  earlier?: string;
}

/** @param end overrides that of the selection, for earlier pages */
export async function loadPage(service: EngraphClient, selection: Selection, end?: string): Promise<SpanPage> {
  const until = end ?? selection.end;
  const { results } = await service.recall({
    limit: PAGE,
    sort: 'time_desc',
    state_mode: 'history',
    relation_limit: RELATIONS,
    ...(selection.query !== '' && { query: selection.query }),
    ...(selection.tags.length > 0 && { tags: selection.tags }),
    ...(until !== '' && { end: until }),
  });
  const oldest = results.at(-1)?.memory.timestamp;
  if (results.length < PAGE || oldest === undefined) return { results };
  // A recall cannot page within one instant: where a whole page has the same time, the next one begins before it.
  const isStuck = oldest === end;
  return { results, earlier: isStuck ? new Date(Date.parse(oldest) - 1).toISOString() : oldest };
}

/** Both lists without the memories that stand in both: the last instant of a page is read again. */
export function joined(before: readonly RecallResult[], more: readonly RecallResult[]): RecallResult[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...more.filter(({ id }) => !known.has(id))];
}
