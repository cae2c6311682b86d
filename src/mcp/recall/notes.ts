/** Notes about a recall in short clauses, for the first line of the text and for programs. */
import type { RecallAnswer } from '../../api/recall.js';
import { onOneLine, plural } from '../../domain/shown-text.js';

/** Note for a recall in which vectors could not be made or searched. */
export const DEGRADED = 'by keyword only: semantic search is not available now';

/** Returns all notes that apply, except the sort order, the time window and the warnings. */
export function notesOf(answer: RecallAnswer, isShortened: boolean): string[] {
  const { dedup_removed, state_filter, score_filter, truncation, entity_expansion, expansion } = answer;
  const notes: string[] = [];
  if (dedup_removed > 0) notes.push(`${plural(dedup_removed, 'duplicate')} removed`);
  if (state_filter?.suppressed_count) notes.push(`${state_filter.suppressed_count} superseded left out`);
  if (score_filter?.filtered_count) notes.push(`${score_filter.filtered_count} left out because of a low score`);
  if (expansion?.expanded_count) notes.push(`${expansion.expanded_count} via relations`);
  if (entity_expansion?.expanded_count) notes.push(`${entity_expansion.expanded_count} via entities`);
  notes.push(...hiddenNotes(answer));
  if (isShortened) notes.push('shortened to stay within max_tokens');
  if (truncation?.omitted_results)
    notes.push(`${plural(truncation.omitted_results, 'further result')} left out to stay within max_tokens`);
  return notes;
}

/** What a reader of the structured content must know about the results, and is not told by a field of its own. */
export function warningsOf(answer: RecallAnswer): string[] {
  const { confidence, count } = answer;
  const isUnsure = asksSomething(answer) && count > 0 && (confidence === 'none' || confidence === 'low');
  return [...(isUnsure ? [confidenceNote(answer)] : []), ...(isDegraded(answer) ? [DEGRADED] : [])];
}

export function confidenceNote({ confidence }: RecallAnswer): string {
  return `confidence ${confidence}`;
}

/** Names the bounds of the creation time. Empty if there are none. */
export function windowNote({ time_window: window }: RecallAnswer): string[] {
  if (window === undefined) return [];
  const { start, end } = window;
  const bounds = [start && `from ${shortBound(start)}`, end && `to ${shortBound(end)}`].filter(Boolean);
  return [`created ${bounds.join(' ')}`];
}

/** The minute, or only the day if the bound is the first or the last instant of a day. */
function shortBound(instant: string): string {
  return instant.replace(/T(?:00:00:00\.000|23:59:59\.999)Z$|:\d\d\.\d+(?=Z$)/, '');
}

export function isDegraded(answer: RecallAnswer): boolean {
  return !answer.vector_search.enabled && asksSomething(answer);
}

export function asksSomething({ query, queries }: RecallAnswer): boolean {
  return (query !== '' && query !== '*') || queries !== undefined;
}

/** Says how many memories each filter hides, so that the caller knows which filter to leave out. */
function hiddenNotes({ hidden, count, tags = [] }: RecallAnswer): string[] {
  if (!hidden) return [];
  const isEmpty = count === 0;
  const many = (number: number) => (number >= hidden.counted_to ? `at least ${number}` : `${number}`);
  const counts = [hidden.tags, hidden.time, hidden.exclude_tags, hidden.together];
  /** Whether at least one count is above 0. If so, notes about filters that hide no memory would mislead. */
  const isExplained = counts.some(number => number !== undefined && number > 0);
  if (hidden.together && isEmpty) {
    const more = `${many(hidden.together)} without all of these filters`;
    return [onOneLine(`nothing if only ${listOf(filterNames(hidden, tags))} is left out`), more];
  }
  const [named, them] = [nameOfTags(tags), tags.length === 1 ? 'it' : 'them'];
  const told = (number: number | undefined, words: { none: string; there: string; more: string }): string[] => {
    if (number === undefined || (number === 0 && (!isEmpty || isExplained))) return [];
    if (!isEmpty) return [`${many(number)} more ${words.more}`];
    return [number === 0 ? `${words.none}, and none ${words.there}` : `${words.none}; ${many(number)} ${words.there}`];
  };
  return [
    ...told(hidden.tags, {
      none: onOneLine(`none with ${named}`),
      there: `without ${them}`,
      more: onOneLine(`without ${named}`),
    }),
    ...told(hidden.time, {
      none: 'none in the time window',
      there: 'outside it',
      more: 'outside the time window',
    }),
    ...(hidden.exclude_tags ? [`${many(hidden.exclude_tags)} left out by exclude_tags`] : []),
    ...(hidden.together ? [`${many(hidden.together)} more if all filters are left out`] : []),
    ...(hidden.state
      ? [`${many(hidden.state)} archived, expired or not yet valid (shown with state_mode history)`]
      : []),
  ];
}

function nameOfTags(tags: readonly string[]): string {
  return `${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`;
}

function filterNames(hidden: NonNullable<RecallAnswer['hidden']>, tags: readonly string[]): string[] {
  return [
    ...(hidden.tags === undefined ? [] : [nameOfTags(tags)]),
    ...(hidden.time === undefined ? [] : ['the time window']),
    ...(hidden.exclude_tags === undefined ? [] : ['exclude_tags']),
  ];
}

/** Formats a list as "a", "a or b", or "a, b or c". */
function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
