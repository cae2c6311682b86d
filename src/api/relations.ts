/** Relations: creating edges, and following them (docs/decisions.md, "Making edges and walking them"). */
import { z } from 'zod';
import { isPlainObject } from '../domain/json.js';
import { associationAnswer, associationsAnswer } from './answers/association.js';
import { relatedAnswer } from './answers/related.js';
import { isGiven, listIn, objectIn, readObject } from './input.js';
import { memoryIdIn, type Operation, routeOf } from './operation.js';
import { renderAssociation, renderAssociations } from './render/association.js';
import { renderRelated } from './render/related.js';
import { association, associations, readAssociation, readAssociations } from './requests/association.js';
import { relatedParameters, toRelatedQuery } from './requests/paging.js';

export const relationOperations: readonly Operation[] = [
  {
    ...routeOf('associate'),
    access: 'token',
    tag: 'relations',
    summary: 'Relate two memories, or many pairs at once; each pair succeeds or fails independently',
    body: z.union([association, z.object({ associations })]),
    answers: { 201: z.union([associationAnswer, associationsAnswer]), 207: associationsAnswer },
    failures: ['invalid', 'not_found'],
    statusOf: answer => ('failed_count' in answer && answer.failed_count !== 0 ? 207 : 201),
    run: async (engine, { body }) => {
      const items = pairsIn(body);
      return items === undefined
        ? renderAssociation(await engine.associate(readAssociation(body)))
        : renderAssociations(await engine.associateMany(readAssociations(items)));
    },
  },
  {
    ...routeOf('related'),
    access: 'token',
    tag: 'relations',
    summary: 'List the memories that relations connect to a memory, most important first',
    query: relatedParameters,
    answers: { 200: relatedAnswer },
    failures: ['invalid', 'not_found'],
    run: async (engine, request) => {
      const id = memoryIdIn(request);
      const given = readObject(relatedParameters, request.query, 'The query');
      return renderRelated(await engine.related(toRelatedQuery(id, given)));
    },
  },
];

/** The list of a body with several associations. Undefined for a single one, which may have an empty list beside it. */
function pairsIn(body: unknown): unknown[] | undefined {
  const given = objectIn(body);
  const items = isPlainObject(given) ? listIn(given.associations) : undefined;
  if (!isPlainObject(given) || !Array.isArray(items)) return undefined;
  return items.length > 0 || !isGiven(given.memory1_id) ? items : undefined;
}
