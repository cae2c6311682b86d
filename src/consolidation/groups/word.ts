/** Asks a language model to describe the largest groups, until the model fails to answer. */
import { beginningOf } from '../../domain/text/length.js';
import type { DatedText } from '../../language-model/language-model.js';
import type { PlanContext } from '../planner.js';

/**
 * Maximum number of groups that the model describes, which limits the cost of a run. If nothing changes, the next run
 * chooses the same groups, whose descriptions already exist.
 */
const WORDED_GROUPS_MAX = 100;
const TARGET_LENGTH = 300;
const LENGTH_MAX = 2 * TARGET_LENGTH;

/** @returns undefined for a group that gets no description in this run */
export type GroupWords = (place: number, texts: readonly DatedText[]) => Promise<string | undefined>;

/** @param groups ids of the members of each group, by position */
export function createGroupWords(
  { wordGroup, onPage }: Pick<PlanContext, 'wordGroup' | 'onPage'>,
  groups: readonly (readonly string[])[],
): GroupWords {
  if (!wordGroup) return async () => undefined;
  const chosen = new Set(largestOf(groups));
  let isAnswering = true;
  return async (place, texts) => {
    if (!isAnswering || !chosen.has(place)) return undefined;
    await onPage();
    const wording = await wordGroup(texts, TARGET_LENGTH);
    // After a failure the model is not asked again, because every further group would wait for the same failure.
    isAnswering = wording !== undefined;
    return wording === undefined ? undefined : inOneLine(wording);
  };
}

function largestOf(groups: readonly (readonly string[])[]): number[] {
  return [...groups.keys()]
    .sort((a, b) => (groups[b]?.length ?? 0) - (groups[a]?.length ?? 0) || a - b)
    .slice(0, WORDED_GROUPS_MAX);
}

function inOneLine(wording: string): string {
  return beginningOf(wording, LENGTH_MAX).split(/\s/).filter(Boolean).join(' ');
}
