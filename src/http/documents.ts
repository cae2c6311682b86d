/** Serves the description of the interface, for programs and for people. */
import type { Hono } from 'hono';
import type { JsonSchema } from '../api/json-schema.js';
import { renderDocsPage } from './docs-page.js';
import { queryOf } from './params.js';
import { addResource } from './resource.js';

/** The page contains its style and loads nothing. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/**
 * Registers `/openapi.json` and `/docs`.
 *
 * @param createDocument called on the first request, because creating the document takes some milliseconds
 */
export function addDocuments(app: Hono, createDocument: () => JsonSchema): void {
  let made: JsonSchema | undefined;
  const document = () => {
    made ??= createDocument();
    return made;
  };
  addResource(app, '/openapi.json', {
    GET: context => {
      queryOf(context.req, {});
      return context.json(document());
    },
  });
  addResource(app, '/docs', {
    GET: context => {
      queryOf(context.req, {});
      context.header('Content-Security-Policy', CONTENT_POLICY);
      return context.html(renderDocsPage(document()));
    },
  });
}
