/** The route of ranked retrieval. */
import type { Hono } from 'hono';
import { parseRecallQuery } from '../../domain/recall-query.js';
import type { Engine } from '../../engine/engine.js';
import { readQuery } from '../params.js';
import { addResource } from '../resource.js';

/** Registers `/recall`. */
export function addRecallRoutes(app: Hono, engine: Engine): void {
  addResource(app, '/recall', {
    GET: async context => context.json(await engine.recall(parseRecallQuery(readQuery(context.req), engine.limits))),
  });
}
