/**
 * The task Creative adds edges between unconnected memories that belong together, judged by their vectors and their
 * rare shared words.
 */

import { partsOf } from '../../domain/collections.js';
import type { LinkChange } from '../../domain/consolidation.js';
import type { Memory } from '../../domain/memory.js';
import { ALL_EDGES } from '../../domain/relation.js';
import { toIso } from '../../domain/time.js';
import { inSteps } from '../../event-loop.js';
import { verdictOn } from '../../replacement/judge.js';
import { wordingOf } from '../../replacement/wording.js';
import { MEMORIES_PER_PAGE } from '../../stores/pages.js';
import { byTime } from '../evidence/compared-memories.js';
import { type Rarity, sharedWords } from '../evidence/traits.js';
import type { PlanContext, PlannedPage } from '../planner.js';
import { undoneChanges } from '../run-records.js';
import { type Candidate, candidatePages, pairOf, prepareSearch, readSample } from './link-candidates.js';

/**
 * Minimum evidence of a link (tests/consolidation/creative.test.ts). The evidence is the mean of two numbers: how much
 * closer the vectors of the two memories are than by chance, and how alike the traits of the two memories are.
 */
const EVIDENCE_MIN = 0.25;
const WORDS_SHOWN = 5;

export async function* planCreative(context: PlanContext): AsyncGenerator<PlannedPage> {
  const sample = await readSample(context);
  const search = await prepareSearch(context, sample);
  const links: Link[] = [];
  for await (const page of candidatePages(search)) {
    links.push(...(await linksOf(context, page.filter(isEnough), search.rarity)));
  }
  const chosen = await chooseLinks(context, links, search.seeds.length);
  yield { changes: chosen.map(link => changeOf(link, context)), count: chosen.length };
}

function isEnough({ evidence }: Candidate): boolean {
  return evidence >= EVIDENCE_MIN;
}

async function linksOf({ graph }: PlanContext, candidates: readonly Candidate[], rarity: Rarity): Promise<Link[]> {
  const links: Link[] = [];
  for await (const part of inSteps(partsOf(candidates, MEMORIES_PER_PAGE))) {
    const memories = await graph.getMemories([...new Set(part.flatMap(({ a, b }) => [a.id, b.id]))]);
    for (const candidate of part) {
      const link = linkOf(candidate, memories, rarity);
      if (link) links.push(link);
    }
  }
  return links;
}

function changeOf({ candidate, kind, from, to, shown }: Link, { runId, nowMs }: PlanContext): LinkChange {
  const { similarity, closeness, likeness, evidence } = candidate;
  const confidence = 1 - EVIDENCE_MIN / (2 * evidence);
  const words = shown.slice(0, WORDS_SHOWN).join(', ');
  return {
    kind: 'link',
    relation: {
      from: from.id,
      to: to.id,
      type: 'DISCOVERED',
      strength: Math.min(1, evidence),
      properties: { kind, confidence, similarity, origin: 'consolidation', run_id: runId },
      updated_at: toIso(nowMs),
    },
    reason: `both mention ${words}`,
    numbers: { similarity, closeness, likeness, evidence, confidence },
  };
}

const PER_MEMORY_MAX = 3;
const LINKS_MAX = 100;
/** A run creates at most one link for this many searched memories, but may always create `LINKS_MAX` links. */
const MEMORIES_PER_LINK = 4;

/**
 * Links of earlier runs compete too, but are not returned. A second run on the same memories finds the same links, and
 * therefore returns no new link.
 *
 * @param lookedAt number of memories whose partners were searched
 */
async function chooseLinks(context: PlanContext, links: readonly Link[], lookedAt: number): Promise<Link[]> {
  const edges = await edgesOf(context, links);
  const takenBack = await undoneLinks(context);
  const most = Math.max(LINKS_MAX, Math.ceil(lookedAt / MEMORIES_PER_LINK));
  const counts = linksBeside(edges, links);
  const chosen: Link[] = [];
  for (const link of [...links].sort(strongestFirst)) {
    const ends = [link.from.id, link.to.id];
    const pair = pairOfEnds(link);
    if (edges.get(pair)?.isOwn === false || takenBack.has(pair)) continue;
    if (ends.some(id => (counts.get(id) ?? 0) >= PER_MEMORY_MAX)) continue;
    if (chosen.length >= most) break;
    for (const id of ends) counts.set(id, (counts.get(id) ?? 0) + 1);
    chosen.push(link);
  }
  return chosen.filter(link => !edges.has(pairOfEnds(link)));
}

/** Returns the pairs of memories whose links were undone. */
async function undoneLinks(context: PlanContext): Promise<Set<string>> {
  const pairs = new Set<string>();
  for await (const change of undoneChanges(context, { task: 'creative' })) {
    if (change.kind === 'link') pairs.add(pairOf(change.relation));
  }
  return pairs;
}

function strongestFirst(one: Link, other: Link): number {
  return other.candidate.evidence - one.candidate.evidence || (pairOfEnds(one) < pairOfEnds(other) ? -1 : 1);
}

function pairOfEnds({ from, to }: Link): string {
  return pairOf({ from: from.id, to: to.id });
}

interface Edge {
  ends: readonly [string, string];
  /** Whether all edges between the two memories are links of an earlier run. */
  isOwn: boolean;
}
type Edges = ReadonlyMap<string, Edge>;

/** Returns, for each memory, the number of links of earlier runs that are not candidates in this run. */
function linksBeside(edges: Edges, links: readonly Link[]): Map<string, number> {
  const offered = new Set(links.map(pairOfEnds));
  const counts = new Map<string, number>();
  for (const [pair, { ends, isOwn }] of edges) {
    if (!isOwn || offered.has(pair)) continue;
    for (const id of ends) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Returns the edges of all memories that these links would connect, by pair of memories. */
async function edgesOf({ graph, onPage }: PlanContext, links: readonly Link[]): Promise<Edges> {
  const found = new Map<string, Edge>();
  const ids = [...new Set(links.flatMap(({ from, to }) => [from.id, to.id]))];
  for (const part of partsOf(ids, MEMORIES_PER_PAGE)) {
    await onPage();
    const relations = await graph.relationsOf({ ids: part, limit: ALL_EDGES });
    for (const { from, to, type, properties } of [...relations.values()].flat()) {
      const isLink = type === 'DISCOVERED' && properties.origin === 'consolidation';
      const pair = pairOf({ from, to });
      found.set(pair, { ends: [from, to], isOwn: isLink && found.get(pair)?.isOwn !== false });
    }
  }
  return found;
}

export type LinkKind = 'explains' | 'shares_theme' | 'parallel_context';

interface Link {
  candidate: Candidate;
  kind: LinkKind;
  /** The edge starts at the explaining memory, or at the newer memory if neither memory explains the other. */
  from: Memory;
  to: Memory;
  /** Words, names and tags that both memories have, rarest first. */
  shown: readonly string[];
}

/**
 * Minimum number of independent words that two linked memories share. By chance, two memories rarely share more than
 * one word.
 */
const INDEPENDENT_MIN = 2;
/** Memories of these types explain other memories. */
const EXPLAINING = new Set<Memory['type']>(['Insight', 'Pattern']);

/** @returns undefined if the two memories make the same statement, or share too little */
function linkOf(candidate: Candidate, memories: ReadonlyMap<string, Memory>, rarity: Rarity): Link | undefined {
  const [a, b] = [memories.get(candidate.a.id), memories.get(candidate.b.id)];
  if (!a || !b) return undefined;
  const [older, newer] = byTime(a, b);
  const { shown, independentCount } = sharedWords(older, newer, rarity);
  if (independentCount < INDEPENDENT_MIN) return undefined;
  if (verdictOn(wordingOf(older), wordingOf(newer)) === 'duplicate') return undefined;
  const [explaining, explained] = EXPLAINING.has(newer.type) ? [newer, older] : [older, newer];
  if (EXPLAINING.has(explaining.type) && !EXPLAINING.has(explained.type)) {
    return { candidate, kind: 'explains', from: explaining, to: explained, shown };
  }
  const kind = older.type === newer.type ? 'parallel_context' : 'shares_theme';
  return { candidate, kind, from: newer, to: older, shown };
}
