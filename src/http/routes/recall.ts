/** The routes of ranked retrieval. */
import type { Hono } from 'hono';
import { renderRecall } from '../../api/render/recall.js';
import { renderWhyNot } from '../../api/render/why-not.js';
import { parseMemoryId } from '../../domain/memory-input.js';
import { parseRecallQuery } from '../../domain/recall-query.js';
import type { Engine } from '../../engine/engine.js';
import { readQuery } from '../params.js';
import { addResource } from '../resource.js';

/** Registers `/recall` and `/recall/why-not`. */
export function addRecallRoutes(app: Hono, engine: Engine): void {
  addResource(app, '/recall', {
    GET: async context =>
      context.json(renderRecall(await engine.recall(parseRecallQuery(readQuery(context.req), engine.limits)))),
  });
  addResource(app, '/recall/why-not', {
    GET: async context => {
      const { id, ...parameters } = readQuery(context.req);
      const memoryId = parseMemoryId(id, 'id');
      return context.json(renderWhyNot(await engine.whyNot(parseRecallQuery(parameters, engine.limits), memoryId)));
    },
  });
}
