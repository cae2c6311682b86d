/** Reads memories page by page, newest first, including those that are no longer valid. */
import type { RecallResult } from '../../api/recall-result.js';
import type { EngraphClient } from '../../client/client.js';

/** Number of memories in a page. By default, a recall returns at most this many (`RECALL_MAX_LIMIT`). */
const PAGE = 100;
/** Maximum number of relations read for each memory, to find the memory that replaced it. */
const RELATIONS = 20;

export interface Selection {
  tags: string[];
  query: string;
  /** Only memories created until this time are read. ISO 8601, or words such as "last week". */
  end: string;
}

export interface SpanPage {
  results: RecallResult[];
  /** The value of `end` for the next, earlier page. Undefined when no earlier memories exist. */
  earlier?: string;
}

/** @param end replaces `selection.end` for earlier pages */
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
  // A recall cannot page within one instant. If a whole page has the same time, the next page begins before that time.
  const isStuck = oldest === end;
  return { results, earlier: isStuck ? new Date(Date.parse(oldest) - 1).toISOString() : oldest };
}

/** Joins two pages without duplicates. The next page contains memories of the last instant of the page before. */
export function joined(before: readonly RecallResult[], more: readonly RecallResult[]): RecallResult[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...more.filter(({ id }) => !known.has(id))];
}
