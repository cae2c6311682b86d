/** Routes of single memories and of batches. */
import type { Context, Hono } from 'hono';
import { renderChange, renderMemory, renderStored, renderStoredMany } from '../../api/render/memory.js';
import { parseSupersession } from '../../domain/association.js';
import { isPlainObject } from '../../domain/json.js';
import { parseMemoryPatch, parseNewMemories, parseNewMemory } from '../../domain/memory.js';
import { parseMemoryId } from '../../domain/memory-input.js';
import type { Engine } from '../../engine/engine.js';
import { readJsonBody } from '../params.js';
import { addResource } from '../resource.js';

/** Registers `/memory` and `/memory/batch`. */
export function addCreationRoutes(app: Hono, engine: Engine): void {
  addResource(app, '/memory', {
    POST: async context => {
      const body = await readJsonBody(context.req, engine.limits);
      const memory = parseNewMemory(body, engine.limits);
      const supersession = isPlainObject(body) ? parseSupersession(body) : undefined;
      return context.json(renderStored(await engine.store(memory, supersession)), 201);
    },
  });
  addResource(app, '/memory/batch', {
    POST: async context => {
      const memories = await parseNewMemories(await readJsonBody(context.req, engine.limits), engine.limits);
      return context.json(renderStoredMany(await engine.storeMany(memories)), 201);
    },
  });
}

/** Registers `/memory/:id`, which matches every path with one segment under `/memory`. */
export function addMemoryRoutes(app: Hono, engine: Engine): void {
  addResource(app, '/memory/:id', {
    GET: async context => context.json(renderMemory(await engine.get(idOf(context)))),
    PATCH: async context => {
      const id = idOf(context);
      const patch = await readPatch(context, id, engine);
      return context.json(renderChange((await engine.update(id, patch)).id));
    },
    DELETE: async context => {
      const id = idOf(context);
      await engine.remove(id);
      return context.json(renderChange(id));
    },
  });
}

function idOf(context: Context): string {
  return parseMemoryId(context.req.param('id'));
}

async function readPatch(context: Context, id: string, engine: Engine) {
  const body = await readJsonBody(context.req, engine.limits);
  try {
    return parseMemoryPatch(body, engine.limits);
  } catch (error) {
    // By the specification a missing memory comes before a bad field.
    await engine.get(id);
    throw error;
  }
}
