/** Renders edges that callers created. */
import { MemoryError } from '../../domain/errors.js';
import type { Relation } from '../../domain/relation.js';
import type { AssociationAnswer, AssociationsAnswer } from '../answers/association.js';

export function renderAssociation(relation: Relation): AssociationAnswer {
  const { from, to, properties } = relation;
  return {
    ...properties,
    status: 'success',
    message: `Association created between ${from} and ${to}`,
    ...renderEdge(relation),
  };
}

/** @param outcomes the created edge or the error of each item, in the order of the items */
export function renderAssociations(outcomes: readonly (Relation | MemoryError)[]): AssociationsAnswer {
  const succeeded: AssociationsAnswer['succeeded'] = [];
  const failed: AssociationsAnswer['failed'] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome instanceof MemoryError) failed.push({ index, ...renderReason(outcome) });
    else succeeded.push({ index, ...renderEdge(outcome) });
  }
  return {
    status: failed.length === 0 ? 'success' : 'partial_success',
    created_count: succeeded.length,
    failed_count: failed.length,
    succeeded,
    failed,
    summary: `${succeeded.length}/${outcomes.length} associations created successfully`,
  };
}

function renderEdge({ from, to, type, strength }: Relation) {
  return { memory1_id: from, memory2_id: to, relation_type: type, strength };
}

function renderReason({ message, field }: MemoryError): { reason: string; field?: string } {
  return { reason: message, ...(field !== undefined && { field }) };
}
