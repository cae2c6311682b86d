/** Routes of the background work. */
import type { Hono } from 'hono';
import { renderReprocessing, renderWorkStatus } from '../../api/render/work.js';
import { parseReprocessing } from '../../domain/reprocessing.js';
import type { Engine } from '../../engine/engine.js';
import { requireAdminToken } from '../auth.js';
import { readOptionalJsonBody, readQuery } from '../params.js';
import { addResource } from '../resource.js';

/** Registers `/enrichment/status` and `/enrichment/reprocess`. */
export function addEnrichmentRoutes(app: Hono, engine: Engine, adminToken: string | undefined): void {
  addResource(app, '/enrichment/status', {
    GET: async context => context.json(renderWorkStatus(await engine.workStatus())),
  });
  app.post('/enrichment/reprocess', requireAdminToken(adminToken));
  addResource(app, '/enrichment/reprocess', {
    POST: async context => {
      const ids = parseReprocessing(await readOptionalJsonBody(context.req), readQuery(context.req));
      return context.json(renderReprocessing(await engine.reprocess(ids)), 202);
    },
  });
}
