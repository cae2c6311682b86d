/**
 * Step: adds memories that relations and entities of the results lead to. The added memories follow the direct results.
 */
import type { RecallContext } from '../context.js';
import { type Candidate, type Dropped, isAdded, type Pool, superseded } from '../pool.js';
import type { ExpansionRules } from './admission.js';
import { expandEntities } from './entities.js';
import { expandRelations } from './relations.js';

/** Relations and entities together never add more memories than the expansion limit. */
export async function expand(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  const request = plan.request.expansion;
  const seeds = pool.kept.filter(candidate => !isAdded(candidate));
  if (!request) return pool;
  const { tags: _tags, ...withoutTags } = plan.filter;
  const dropped: Dropped[] = [];
  const rules: ExpansionRules = {
    context,
    filter: request.respectTags ? plan.filter : withoutTags,
    minImportance: request.minImportance,
    limit: plan.expansionLimit,
    onDrop: each => dropped.push(each),
  };
  const related = request.relations
    ? await expandRelations(pool, seeds, {
        ...rules,
        relationLimit: plan.relationLimit,
        minStrength: request.minStrength,
      })
    : [];
  const reached: Candidate[] = [...seeds, ...related];
  const { results, entityKeys } = request.entities
    ? await expandEntities(pool, reached, { ...rules, limit: plan.expansionLimit - related.length })
    : { results: [], entityKeys: [] };
  for (const { memory, replaces } of [...related, ...results]) {
    if (replaces) dropped.push({ ...superseded(replaces, memory.id, 'expand'), isReplaced: true });
  }
  return {
    ...pool,
    kept: [...pool.kept, ...related, ...results],
    dropped: [...pool.dropped, ...dropped],
    seeds,
    entityKeys,
  };
}
