/** Routes of the edges between memories. */
import type { Hono } from 'hono';
import { renderAssociation, renderAssociations } from '../../api/render/association.js';
import { renderRelated } from '../../api/render/related.js';
import { parseAssociation, parseAssociations } from '../../domain/association.js';
import { isPlainObject } from '../../domain/json.js';
import { parseRelatedQuery } from '../../domain/related-query.js';
import type { Engine } from '../../engine/engine.js';
import { readJsonBody, readQuery } from '../params.js';
import { addResource } from '../resource.js';

/** Registers `/associate` and `/memories/:id/related`. */
export function addAssociationRoutes(app: Hono, engine: Engine): void {
  addResource(app, '/associate', {
    POST: async context => {
      const body = await readJsonBody(context.req, engine.limits);
      if (!isPlainObject(body) || !Array.isArray(body.associations)) {
        return context.json(renderAssociation(await engine.associate(parseAssociation(body))), 201);
      }
      const answer = renderAssociations(await engine.associateMany(parseAssociations(body.associations)));
      return context.json(answer, answer.failed_count === 0 ? 201 : 207);
    },
  });
  addResource(app, '/memories/:id/related', {
    GET: async context =>
      context.json(
        renderRelated(await engine.related(parseRelatedQuery(context.req.param('id'), readQuery(context.req)))),
      ),
  });
}
