/** Serves the description of the interface, for programs and for people. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { JsonSchema } from '../api/input.js';
import { addResource } from './every-request.js';
import { queryOf } from './params.js';

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

type Part = Record<string, unknown>;
/** HTML in which inserted text is escaped. */
type Html = ReturnType<typeof html>;

interface Described {
  info: { title: string; version: string; description: string };
  paths: Part;
  components: { schemas: Record<string, Part> };
}

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
  code, pre { font: 14px/1.4 ui-monospace, monospace } pre { overflow-x: auto; padding: .75rem; border: 1px solid #8886 }
  table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0 }
  section { border-top: 1px solid #8886; margin-top: 2rem } .method { font-weight: 700 }`;

function renderDocsPage(document: JsonSchema): Html {
  const { info, paths, components } = document as unknown as Described;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Part).map(([method, operation]) =>
      section({ method, path, operation: operation as Part, schemas: components.schemas }),
    ),
  );
  const title = `${info.title} ${info.version}`;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style></head>
<body>
<h1>${title}</h1>
<p>${info.description} The same as a document for programs: <a href="openapi.json">openapi.json</a>.</p>
${operations}
<section><h2>Error</h2>${fieldTables({ $ref: '#/components/schemas/Error' }, components.schemas)}</section>
</body>
</html>
`;
}

interface Section {
  method: string;
  path: string;
  operation: Part;
  /** The schemas of the document by name. */
  schemas: Record<string, Part>;
}

function section({ method, path, operation, schemas }: Section): Html {
  const body = contentOf(operation.requestBody);
  const responses = Object.entries(operation.responses as Part);
  return html`<section id="${operation.operationId}">
<h2><span class="method">${method.toUpperCase()}</span> <code>${path}</code></h2>
<p>${operation.summary}.</p>
${parameters(operation.parameters as Part[])}
${body && html`<h3>Body</h3>${fieldTables(body.schema as Part, schemas)}${json(body.example)}`}
<h3>Answers</h3>
<table>${responses.map(([status, response]) => row([status, (response as Part).description]))}</table>
${responses.map(([, response]) => example(response as Part))}
</section>`;
}

function parameters(given: readonly Part[]): Html | undefined {
  if (given.length === 0) return undefined;
  const rows = given.map(({ name, description, schema, required }) =>
    row([name, `${typeOf(schema as Part)}${required ? ', required' : ''}`, description]),
  );
  return html`<h3>Parameters</h3><table>${rows}</table>`;
}

/** Returns one table for each variant of a body, and one table for the items of each list in the body. */
function fieldTables(schema: Part, schemas: Record<string, Part>): Html[] {
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  const whole = schemas[name] ?? schema;
  const forms = (whole.anyOf as Part[] | undefined) ?? [whole];
  return forms.flatMap(form => {
    const fields = Object.entries((form.properties ?? {}) as Record<string, Part>);
    const items = fields.map(([, field]) => field.items as Part | undefined).filter(item => item?.properties);
    if (fields.length === 0) return [];
    return [fieldTable(form), ...items.map(item => html`<p>Each item:</p>${fieldTable(item as Part)}`)];
  });
}

function fieldTable({ properties = {}, required = [] }: Part): Html {
  const rows = Object.entries(properties as Record<string, Part>).map(([field, { description, ...schema }]) =>
    row([field, `${typeOf(schema)}${(required as string[]).includes(field) ? ', required' : ''}`, description]),
  );
  return html`<table>${rows}</table>`;
}

function typeOf({ type, enum: words, minimum, maximum, items, format, anyOf }: Part): string {
  if (Array.isArray(words)) return words.join(', ');
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' or ');
  if (format) return String(format);
  if (type === 'array') return `list of ${typeOf((items ?? {}) as Part)}`;
  const range = [minimum, maximum].some(bound => bound !== undefined) ? ` ${minimum ?? ''}..${maximum ?? ''}` : '';
  return `${String(type ?? 'any')}${range}`;
}

function example(response: Part): Html | undefined {
  const content = contentOf(response);
  return content?.example === undefined ? undefined : json(content.example);
}

function contentOf(part: unknown): Part | undefined {
  return ((part as Part | undefined)?.content as Record<string, Part> | undefined)?.['application/json'];
}

/** A table row. The first cell contains a name. */
function row([name, ...cells]: readonly unknown[]): Html {
  return html`<tr><td><code>${name}</code></td>${cells.map(cell => html`<td>${cell}</td>`)}</tr>`;
}

function json(value: unknown): Html {
  return html`<pre>${JSON.stringify(value, null, 2)}</pre>`;
}
