/** Routes for operators, behind the admin token. */
import type { Hono } from 'hono';
import { renderReembed, renderSync } from '../../api/render/maintenance.js';
import { parseReembedRequest, parseSyncRequest } from '../../domain/maintenance.js';
import type { Engine } from '../../engine/engine.js';
import { requireAdminToken } from '../auth.js';
import { readOptionalJsonBody } from '../params.js';
import { addResource } from '../resource.js';

/** Registers `/admin/reembed` and `/admin/sync`. */
export function addAdminRoutes(app: Hono, engine: Engine, adminToken: string | undefined): void {
  for (const path of ['/admin/reembed', '/admin/sync']) app.post(path, requireAdminToken(adminToken));
  addResource(app, '/admin/reembed', {
    POST: async context => {
      const request = parseReembedRequest(await readOptionalJsonBody(context.req));
      return context.json(renderReembed(await engine.reembed(request)));
    },
  });
  addResource(app, '/admin/sync', {
    POST: async context => {
      const request = parseSyncRequest(await readOptionalJsonBody(context.req));
      return context.json(renderSync(await engine.sync(request)));
    },
  });
}
