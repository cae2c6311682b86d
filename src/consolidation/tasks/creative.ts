/**
 * The task Creative adds edges between unconnected memories that belong together, judged by their vectors and their
 * rare shared words.
 */

import { partsOf } from '../../domain/collections.js';
import type { LinkChange } from '../../domain/consolidation.js';
import { toIso } from '../../domain/time.js';
import { inSteps } from '../../event-loop.js';
import type { Rarity } from '../evidence/rarity.js';
import { eachInSteps } from '../in-steps.js';
import { type Candidate, candidatePages, prepareSearch, readSample } from '../links/candidates.js';
import { chooseLinks, type Link, linkOf } from '../links/choose.js';
import type { PlanContext, PlannedPage } from '../planner.js';

/**
 * Minimum evidence of a link (tests/consolidation/creative.test.ts). The evidence is the mean of two numbers: how much
 * closer the vectors of the two memories are than by chance, and how alike the traits of the two memories are.
 */
const EVIDENCE_MIN = 0.25;
const WORDS_SHOWN = 5;
const CHANGES_PER_PAGE = 200;
/** Number of pairs whose memories are read at once. */
const CANDIDATES_AT_ONCE = 25;

export async function* planCreative(context: PlanContext): AsyncGenerator<PlannedPage> {
  const sample = await readSample(context);
  const search = await prepareSearch(context, sample);
  const links: Link[] = [];
  for await (const page of candidatePages(search)) {
    links.push(...(await linksOf(context, page.filter(isEnough), search.rarity)));
  }
  const chosen = await chooseLinks(context, links, search.seeds.length);
  for (let start = 0; start < chosen.length; start += CHANGES_PER_PAGE) {
    const changes = chosen.slice(start, start + CHANGES_PER_PAGE).map(link => changeOf(link, context));
    yield { changes, count: changes.length };
  }
}

function isEnough({ evidence }: Candidate): boolean {
  return evidence >= EVIDENCE_MIN;
}

async function linksOf({ graph }: PlanContext, candidates: readonly Candidate[], rarity: Rarity): Promise<Link[]> {
  const links: Link[] = [];
  for await (const part of inSteps(partsOf(candidates, CANDIDATES_AT_ONCE))) {
    const memories = await graph.getMemories([...new Set(part.flatMap(({ a, b }) => [a.id, b.id]))]);
    await eachInSteps(part, candidate => {
      const link = linkOf(candidate, memories, rarity);
      if (link) links.push(link);
    });
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
