/** All operations of the REST interface. Fixed paths precede patterns that would also match them. */
import { z } from 'zod';
import { MemoryError } from '../domain/errors.js';
import type { InputLimits } from '../domain/input-limits.js';
import { isPlainObject } from '../domain/json.js';
import { associationAnswer, associationsAnswer } from './answers/association.js';
import { healthAnswer } from './answers/health.js';
import { reembedAnswer, syncAnswer } from './answers/maintenance.js';
import { changeAnswer, memoryAnswer, storeAnswer, storeManyAnswer, updateAnswer } from './answers/memory.js';
import { recallAnswer } from './answers/recall.js';
import { relatedAnswer } from './answers/related.js';
import { tagPageAnswer, tagRemovalAnswer } from './answers/tag-page.js';
import { whyNotAnswer } from './answers/why-not.js';
import { reprocessAnswer, workStatusAnswer } from './answers/work.js';
import { consolidationOperations } from './consolidation-operations.js';
import { memoryId } from './fields.js';
import { historyOperations } from './history-operations.js';
import { hookOperations } from './hook-operations.js';
import { withIds } from './idempotency-key.js';
import { isGiven, listIn, objectIn, optional, perLimits, readField, readObject } from './input.js';
import { insightOperations } from './insight-operations.js';
import { type Access, type Answer, type Operation, type RawRequest, routeOf } from './operation.js';
import { renderAssociation, renderAssociations } from './render/association.js';
import { renderHealth } from './render/health.js';
import { renderReembed, renderSync } from './render/maintenance.js';
import { renderChange, renderMemory, renderStored, renderStoredMany, renderUpdate } from './render/memory.js';
import { renderRecall } from './render/recall.js';
import { renderRelated } from './render/related.js';
import { renderTagPage, renderTagRemoval } from './render/tag-page.js';
import { renderWhyNot } from './render/why-not.js';
import { renderReprocessing, renderWorkStatus } from './render/work.js';
import { association, associations, readAssociation, readAssociations } from './requests/association.js';
import {
  readReprocessing,
  reembedRequest,
  reprocessRequest,
  syncRequest,
  toReembedRequest,
  toSyncRequest,
} from './requests/maintenance.js';
import {
  memoryBatch,
  memoryPatch,
  memoryToStore,
  readMemoryBatch,
  readMemoryPatch,
  toNewMemory,
} from './requests/memory.js';
import { relatedParameters, tagPage, tagSelection, toRelatedQuery, toTagPage } from './requests/paging.js';
import { readRecall, recallParameters } from './requests/recall.js';
import type { OperationName } from './routes.js';
import { transferOperations } from './transfer-operations.js';
import { withCertainTags, withWholeTags } from './whole-tags.js';

/** @param startupAccess who may call the startup recall */
export function createOperations(limits: InputLimits, startupAccess: Access = 'public'): readonly Operation[] {
  return [
    ...statusOperations(),
    ...insightOperations(startupAccess),
    ...maintenanceOperations(),
    ...consolidationOperations(),
    ...recallOperations(limits),
    ...hookOperations(),
    ...associationOperations(),
    ...tagOperations(),
    ...memoryOperations(limits),
    ...historyOperations(),
    ...transferOperations(limits),
  ];
}

/** The operations for callers in this process. */
export const operationsByName = perLimits(
  limits =>
    Object.fromEntries(createOperations(limits).map(operation => [operation.name, operation])) as Record<
      OperationName,
      Operation
    >,
);

function statusOperations(): Operation[] {
  return [
    {
      ...routeOf('health'),
      access: 'public',
      tag: 'service',
      summary: 'Get the health of the service; status 503 when it is degraded',
      answers: { 200: healthAnswer, 503: healthAnswer },
      needsNoPlace: true,
      failures: [],
      run: async engine => {
        const health = renderHealth(await engine.health());
        return { status: health.status === 'healthy' ? 200 : 503, body: health };
      },
    },
    {
      ...routeOf('workStatus'),
      access: 'token',
      tag: 'service',
      summary: 'Get the state, counts and language model usage of enrichment',
      answers: { 200: workStatusAnswer },
      needsNoPlace: true,
      failures: [],
      run: async engine => ok(renderWorkStatus(await engine.workStatus())),
    },
  ];
}

function maintenanceOperations(): Operation[] {
  return [
    {
      ...routeOf('reprocess'),
      access: 'admin',
      tag: 'service',
      summary: 'Enrich memories again',
      query: reprocessRequest,
      body: reprocessRequest,
      isBodyOptional: true,
      answers: { 202: reprocessAnswer },
      failures: ['invalid'],
      run: async (engine, { body, query }) => ({
        status: 202,
        body: renderReprocessing(await engine.reprocess(readReprocessing(body, query))),
      }),
    },
    {
      ...routeOf('reembed'),
      access: 'admin',
      tag: 'service',
      summary: 'Embed memories again, newest first',
      body: reembedRequest,
      isBodyOptional: true,
      answers: { 200: reembedAnswer },
      needsNoPlace: true,
      failures: ['invalid', 'conflict'],
      run: async (engine, { body }) =>
        ok(
          renderReembed(
            await engine.reembed(
              toReembedRequest(readObject(reembedRequest, body === undefined ? {} : body, 'The body')),
            ),
          ),
        ),
    },
    {
      ...routeOf('sync'),
      access: 'admin',
      tag: 'service',
      summary: 'Compare the two stores and repair the vector store, or only report the differences',
      body: syncRequest,
      isBodyOptional: true,
      answers: { 200: syncAnswer },
      needsNoPlace: true,
      failures: ['invalid', 'conflict'],
      run: async (engine, { body }) =>
        ok(
          renderSync(
            await engine.sync(toSyncRequest(readObject(syncRequest, body === undefined ? {} : body, 'The body'))),
          ),
        ),
    },
  ];
}

function recallOperations(limits: InputLimits): Operation[] {
  const query = recallParameters(limits);
  return [
    {
      ...routeOf('recall'),
      access: 'token',
      tag: 'recall',
      summary: 'Search memories, best first',
      query: query.extend({
        memory_id: optional(memoryId).describe('Answers like GET /memory/:id; all other parameters are ignored'),
      }),
      // AutoMem's client sends the parameters of its tool.
      ignoredQuery: ['format', 'offset'],
      answers: { 200: z.union([recallAnswer, memoryAnswer]) },
      failures: ['invalid', 'not_found'],
      run: async (engine, request) => {
        const { memory_id: id } = request.query;
        if (isGiven(id)) return ok(renderMemory(await engine.get(readField(memoryId, id, 'memory_id'))));
        const asked = await withWholeTags(engine, request.query);
        const answer = renderRecall(await engine.recall(readRecall(asked, limits)));
        // The engine treats `*` as no query, but the answer shows the query as the caller sent it.
        return ok(request.query.query === '*' ? { ...answer, query: '*' } : answer);
      },
    },
    {
      ...routeOf('whyNot'),
      access: 'token',
      tag: 'recall',
      summary: 'Explain which filter or rank keeps a memory out of the results',
      query: query.extend({ id: memoryId.describe('Id (UUID) of the memory') }),
      answers: { 200: whyNotAnswer },
      failures: ['invalid', 'not_found'],
      run: async (engine, { query: { id, ...parameters } }) => {
        const missed = readField(memoryId, id, 'id');
        return ok(renderWhyNot(await engine.whyNot(readRecall(parameters, limits), missed)));
      },
    },
  ];
}

function associationOperations(): Operation[] {
  return [
    {
      ...routeOf('associate'),
      access: 'token',
      tag: 'relations',
      summary: 'Relate two memories, or many pairs at once; each pair succeeds or fails independently',
      body: z.union([association, z.object({ associations })]),
      answers: { 201: z.union([associationAnswer, associationsAnswer]), 207: associationsAnswer },
      failures: ['invalid', 'not_found'],
      run: async (engine, { body }) => {
        const items = pairsIn(body);
        if (items === undefined) {
          return { status: 201, body: renderAssociation(await engine.associate(readAssociation(body))) };
        }
        const answer = renderAssociations(await engine.associateMany(readAssociations(items)));
        return { status: answer.failed_count === 0 ? 201 : 207, body: answer };
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
        const id = idIn(request);
        const given = readObject(relatedParameters, request.query, 'The query');
        return ok(renderRelated(await engine.related(toRelatedQuery(id, given))));
      },
    },
  ];
}

/** The list of a body with several associations. Undefined for a single one, which may have an empty list beside it. */
function pairsIn(body: unknown): unknown[] | undefined {
  const given = objectIn(body);
  const items = isPlainObject(given) ? listIn(given.associations) : undefined;
  if (!isPlainObject(given) || !Array.isArray(items)) return undefined;
  return items.length > 0 || !isGiven(given.memory1_id) ? items : undefined;
}

function tagOperations(): Operation[] {
  return [
    {
      ...routeOf('listByTag'),
      access: 'token',
      tag: 'memories',
      summary: 'List the memories that have any of the tags, most important first',
      query: tagPage,
      answers: { 200: tagPageAnswer },
      failures: ['invalid'],
      run: async (engine, { query }) => {
        const page = readObject(tagPage, await withWholeTags(engine, query), 'The query');
        return ok(renderTagPage(await engine.listByTag(toTagPage(page))));
      },
    },
    {
      ...routeOf('removeByTag'),
      access: 'token',
      tag: 'memories',
      summary: 'Delete every memory that has any of the tags',
      query: tagSelection,
      answers: { 200: tagRemovalAnswer },
      failures: ['invalid'],
      run: async (engine, { query }) => {
        const { tags } = readObject(tagSelection, await withCertainTags(engine, query), 'The query');
        return ok(renderTagRemoval(await engine.removeByTag(tags)));
      },
    },
  ];
}

function memoryOperations(limits: InputLimits): Operation[] {
  const stored = memoryToStore(limits);
  const patch = memoryPatch(limits);
  return [
    {
      ...routeOf('store'),
      access: 'token',
      tag: 'memories',
      summary: 'Store a memory',
      body: stored,
      answers: { 201: storeAnswer },
      failures: ['invalid', 'not_found', 'conflict'],
      takesIdempotencyKey: true,
      run: async (engine, { body, idempotencyKey }) => {
        const { memory, supersession } = toNewMemory(readObject(stored, body, 'A memory'));
        const [named = memory] = withIds([memory], idempotencyKey);
        const outcome = await engine.store(named, supersession);
        return { status: 201, body: renderStored(outcome, await engine.mayReplace([outcome.memory])) };
      },
    },
    {
      ...routeOf('storeMany'),
      access: 'token',
      tag: 'memories',
      summary: 'Store many memories; all are stored or none',
      body: memoryBatch(limits),
      answers: { 201: storeManyAnswer },
      failures: ['invalid', 'conflict'],
      takesIdempotencyKey: true,
      run: async (engine, { body, idempotencyKey }) => {
        const memories = withIds(await readMemoryBatch(body, limits), idempotencyKey);
        const outcome = await engine.storeMany(memories);
        return { status: 201, body: renderStoredMany(outcome, await engine.mayReplace(outcome.memories)) };
      },
    },
    {
      ...routeOf('get'),
      access: 'token',
      tag: 'memories',
      summary: 'Read one memory with its relations',
      answers: { 200: memoryAnswer },
      failures: ['invalid', 'not_found'],
      run: async (engine, request) => ok(renderMemory(await engine.get(idIn(request)))),
    },
    {
      ...routeOf('update'),
      access: 'token',
      tag: 'memories',
      summary: 'Change some fields of a memory',
      body: patch,
      answers: { 200: updateAnswer },
      failures: ['invalid', 'not_found'],
      run: async (engine, request) => {
        const id = idIn(request);
        const update = async () => {
          const patch = readMemoryPatch(request.body, limits);
          const memory = await engine.update(id, patch);
          return { memory, isNew: patch.content !== undefined };
        };
        const { memory, isNew } = await whereThere(update, () => engine.get(id));
        return ok(renderUpdate(memory.id, isNew ? await engine.mayReplace([memory]) : []));
      },
    },
    {
      ...routeOf('remove'),
      access: 'token',
      tag: 'memories',
      summary: 'Delete a memory with its relations and vector',
      answers: { 200: changeAnswer },
      failures: ['invalid', 'not_found'],
      run: async (engine, request) => {
        const id = idIn(request);
        await engine.remove(id);
        return ok(renderChange(id));
      },
    },
  ];
}

function ok(body: object): Answer {
  return { status: 200, body };
}

function idIn({ params }: RawRequest): string {
  return readField(memoryId, params.id, 'memory_id');
}

/** The specification requires that a missing memory is reported before an invalid field. */
async function whereThere<Value>(change: () => Promise<Value>, assertPresent: () => Promise<unknown>): Promise<Value> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'invalid') await assertPresent();
    throw error;
  }
}
