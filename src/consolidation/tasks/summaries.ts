/**
 * Summarises groups: matches them with the groups of earlier runs, describes them, and asks a language model, if there
 * is one, for the wording.
 */
import { isDeepStrictEqual } from 'node:util';
import { partsOf } from '../../domain/collections.js';
import type { GroupSummary, GroupWording, SummaryChange } from '../../domain/consolidation.js';
import { derivedUuid } from '../../domain/derived-ids.js';
import type { Metadata } from '../../domain/json.js';
import { inSteps } from '../../event-loop.js';
import type { DatedText } from '../../language-model/language-model.js';
import { MEMORIES_PER_PAGE, NODES_PER_PAGE, nodePages } from '../../stores/pages.js';
import type { AuxiliaryNode } from '../../stores/ports/node-store.js';
import type { Compared } from '../groups/compared.js';
import { createDescription, createExcerpts, createGroupWords } from '../groups/describe.js';
import type { PlanContext, PlannedPage } from '../planner.js';

export async function* summaryPages(
  context: PlanContext,
  compared: Compared,
  groups: readonly string[][],
): AsyncGenerator<PlannedPage> {
  const known = await readSummaries(context);
  const continued = continuedSummaries(groups, known);
  const kept = new Set(continued.values());
  const vanished = known.filter(summary => !kept.has(summary));
  for (const part of partsOf(vanished, NODES_PER_PAGE)) {
    yield { changes: part.map(before => summaryChange(before, null)), count: 0 };
  }
  const word = createGroupWords(context, groups);
  for (const part of partsOf([...groups.entries()], NODES_PER_PAGE)) {
    const changes: SummaryChange[] = [];
    for (const [place, memberIds] of part) {
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
  for await (const page of nodePages(graph, 'MetaMemory', onPage)) {
    summaries.push(...page.flatMap(node => readSummary(node) ?? []));
  }
  return summaries;
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
  for await (const part of inSteps(partsOf(memberIds, MEMORIES_PER_PAGE))) {
    await onPage();
    for (const memory of (await graph.getMemories(part)).values()) {
      description.add(memory);
      excerpts.add(memory);
    }
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

export function summaryNode({ id, content, wording, memberIds, about }: GroupSummary, nowIso: string): AuxiliaryNode {
  const { entities, tags, terms, earliest, latest, confidence } = about;
  return {
    kind: 'MetaMemory',
    id,
    properties: {
      content,
      ...(wording && { wording: wording.text, wording_digest: wording.digest }),
      // The ids are stored as text, because a shared graph cannot store lists of this length.
      member_ids: JSON.stringify(memberIds),
      entities: [...entities],
      tags: [...tags],
      terms: [...terms],
      timestamp: earliest,
      earliest,
      latest,
      confidence,
    },
    updated_at: nowIso,
  };
}

/** @returns undefined for a node without the fields of a summary, such as a node that another program made */
export function readSummary({ id, properties }: AuxiliaryNode): GroupSummary | undefined {
  const { content, earliest, latest, confidence } = properties;
  const memberIds = readIds(properties.member_ids);
  if (!memberIds || typeof content !== 'string' || typeof confidence !== 'number') return undefined;
  if (typeof earliest !== 'string' || typeof latest !== 'string') return undefined;
  const [entities, tags, terms] = ['entities', 'tags', 'terms'].map(name => readTexts(properties, name));
  const about = { entities: entities ?? [], tags: tags ?? [], terms: terms ?? [], earliest, latest, confidence };
  const wording = readWording(properties);
  return { id, content, ...(wording && { wording }), memberIds, about };
}

/** @param one null if there is no summary */
export function isSameSummary(one: GroupSummary | null, other: GroupSummary | null): boolean {
  return isDeepStrictEqual(one, other);
}

function readWording({ wording: text, wording_digest: digest }: Metadata): GroupWording | undefined {
  return typeof text === 'string' && typeof digest === 'string' ? { text, digest } : undefined;
}

function readIds(value: unknown): string[] | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const ids: unknown = JSON.parse(value);
    return isTexts(ids) ? ids : undefined;
  } catch {
    return undefined;
  }
}

function readTexts(properties: Metadata, name: string): string[] {
  const value = properties[name];
  return isTexts(value) ? value : [];
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string');
}
