/** Routes of all memories that have a tag. */
import type { Hono } from 'hono';
import { renderTagPage, renderTagRemoval } from '../../api/render/tag-page.js';
import { parseRequiredTags, parseTagPage } from '../../domain/recall-query.js';
import type { Engine } from '../../engine/engine.js';
import { readQuery } from '../params.js';
import { addResource } from '../resource.js';

/** Registers `/memory/by-tag`. */
export function addByTagRoutes(app: Hono, engine: Engine): void {
  addResource(app, '/memory/by-tag', {
    GET: async context => context.json(renderTagPage(await engine.listByTag(parseTagPage(readQuery(context.req))))),
    DELETE: async context =>
      context.json(renderTagRemoval(await engine.removeByTag(parseRequiredTags(readQuery(context.req))))),
  });
}
