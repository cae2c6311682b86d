/**
 * Summarises groups: matches them with the groups of earlier runs, describes them, and asks a language model, if there
 * is one, for the wording.
 */

import { partsOf } from '../../domain/collections.js';
import type { GroupSummary, GroupWording, SummaryChange } from '../../domain/consolidation.js';
import { derivedUuid } from '../../domain/derived-ids.js';
import type { DatedText } from '../../language-model/language-model.js';
import type { Compared } from '../groups/compared.js';
import { createDescription, createExcerpts, createGroupWords } from '../groups/describe.js';
import { eachInSteps } from '../in-steps.js';
import type { PlanContext, PlannedPage } from '../planner.js';
import { isSameSummary, readSummary } from '../summary-nodes.js';

const MEMBERS_AT_ONCE = 50;
const GROUPS_PER_PAGE = 50;
const NODES_AT_ONCE = 100;

export async function* summaryPages(
  context: PlanContext,
  compared: Compared,
  groups: readonly string[][],
): AsyncGenerator<PlannedPage> {
  const known = await readSummaries(context);
  const continued = continuedSummaries(groups, known);
  const kept = new Set(continued.values());
  const vanished = known.filter(summary => !kept.has(summary));
  for (const part of partsOf(vanished, GROUPS_PER_PAGE)) {
    yield { changes: part.map(before => summaryChange(before, null)), count: 0 };
  }
  const word = createGroupWords(context, groups);
  for (let start = 0; start < groups.length; start += GROUPS_PER_PAGE) {
    const changes: SummaryChange[] = [];
    const part = groups.slice(start, start + GROUPS_PER_PAGE);
    for (const [offset, memberIds] of part.entries()) {
      const place = start + offset;
      const before = continued.get(place) ?? null;
      const id = before?.id ?? derivedUuid([context.runId, String(place)]);
      const { summary, texts } = await describe(context, compared, { id, memberIds });
      const digest = derivedUuid(texts.flatMap(({ date, text }) => [date, text]));
      const isWorded = before?.wording?.digest === digest;
      const text = isWorded ? before.wording?.text : await word(place, texts);
      const after = text === undefined ? summary : withWording(summary, { text, digest });
      if (!isSameSummary(before, after)) changes.push(summaryChange(before, after));
    }
    yield { changes, count: part.length };
  }
}

async function readSummaries({ graph, onPage }: PlanContext): Promise<GroupSummary[]> {
  const summaries: GroupSummary[] = [];
  for (let afterId: string | undefined; ; ) {
    await onPage();
    const page = { ...(afterId !== undefined && { afterId }), limit: NODES_AT_ONCE };
    const nodes = await graph.readNodes('MetaMemory', page);
    summaries.push(...nodes.flatMap(node => readSummary(node) ?? []));
    afterId = nodes.at(-1)?.id;
    if (afterId === undefined) return summaries;
  }
}

interface Described {
  /** The summary without the text that a language model writes for it. */
  summary: GroupSummary;
  /** Texts of some memories of the group. */
  texts: DatedText[];
}

async function describe(
  { graph, onPage }: PlanContext,
  { rarity }: Compared,
  { id, memberIds }: Pick<GroupSummary, 'id' | 'memberIds'>,
): Promise<Described> {
  const description = createDescription(rarity);
  const excerpts = createExcerpts(memberIds);
  for (let start = 0; start < memberIds.length; start += MEMBERS_AT_ONCE) {
    await onPage();
    const members = await graph.getMemories(memberIds.slice(start, start + MEMBERS_AT_ONCE));
    await eachInSteps(members.values(), memory => {
      description.add(memory);
      excerpts.add(memory);
    });
  }
  return { summary: { id, memberIds, ...description.finish() }, texts: excerpts.texts() };
}

function withWording(summary: GroupSummary, wording: GroupWording): GroupSummary {
  return { ...summary, content: `${wording.text} ${summary.content}`, wording };
}

function summaryChange(before: GroupSummary | null, after: GroupSummary | null): SummaryChange {
  const [were, are] = [before?.memberIds ?? [], after?.memberIds ?? []];
  const [had, has] = [new Set(were), new Set(are)];
  const numbers = {
    members: are.length,
    added: are.filter(id => !had.has(id)).length,
    removed: were.filter(id => !has.has(id)).length,
  };
  if (!after) return { kind: 'summary', before, after, reason: 'the group is no longer found', numbers };
  const reason = before ? 'the group has changed' : `${are.length} memories have one subject`;
  return { kind: 'summary', before, after, reason, numbers };
}

/** Minimum number of common members, as a share of the smaller group. */
const SHARED_MIN = 0.5;

/** @returns for each group the known summary that it continues; each summary is continued at most once */
function continuedSummaries(
  groups: readonly (readonly string[])[],
  known: readonly GroupSummary[],
): Map<number, GroupSummary> {
  const summariesOf = new Map<string, GroupSummary[]>();
  for (const summary of known) {
    for (const id of summary.memberIds) summariesOf.set(id, [...(summariesOf.get(id) ?? []), summary]);
  }
  const overlaps = groups.flatMap((members, group) => overlapsOf(group, members, summariesOf));
  overlaps.sort((a, b) => b.shared - a.shared || a.group - b.group || (a.summary.id < b.summary.id ? -1 : 1));
  const continued = new Map<number, GroupSummary>();
  const taken = new Set<GroupSummary>();
  for (const { group, summary } of overlaps) {
    if (continued.has(group) || taken.has(summary)) continue;
    continued.set(group, summary);
    taken.add(summary);
  }
  return continued;
}

function overlapsOf(group: number, members: readonly string[], summariesOf: ReadonlyMap<string, GroupSummary[]>) {
  const counts = new Map<GroupSummary, number>();
  for (const id of members) {
    for (const summary of summariesOf.get(id) ?? []) counts.set(summary, (counts.get(summary) ?? 0) + 1);
  }
  return [...counts]
    .filter(([{ memberIds }, shared]) => shared >= SHARED_MIN * Math.min(members.length, memberIds.length))
    .map(([summary, shared]) => ({ group, summary, shared }));
}
