/** Generates the OpenAPI 3.1 document of the REST interface from its operations. */
import type { z } from 'zod';
import { type ErrorCode, httpStatusOf } from '../domain/errors.js';
import { errorAnswer } from './answer-fields.js';
import RECORDED from './examples.json' with { type: 'json' };
import { type JsonSchema, jsonSchemaOf } from './input.js';
import { IDEMPOTENCY_KEY_HEADER } from './memories.js';
import type { Access, Example, Operation } from './operation.js';
import type { Method } from './routes.js';
import { exportPageRequest } from './transfer-records.js';

export interface DocumentParts {
  version: string;
  operations: readonly Operation[];
  /** Whether callers need a token. */
  isTokenRequired: boolean;
}

/** Requests and answers of the service. `npm run build:examples` records them. */
export const EXAMPLES = RECORDED as readonly Example[];

const DESCRIPTION =
  'Long-term memory for AI assistants. Every failure has the form of the schema Error. While the graph store cannot ' +
  'be reached, requests about memories are answered with 503. While only the vector store cannot be reached, recall ' +
  'still works by words, tags and relations. Unknown query parameters are refused, unknown fields of bodies ignored. An ' +
  'optional value that is empty counts as absent, and a list or an object may be sent as JSON text.';

/** Failures that every route can return: an unknown parameter, or from the guards, the router, a fault or a store. */
const COMMON_FAILURES: readonly ErrorCode[] = ['invalid', 'forbidden', 'method_not_allowed', 'internal', 'unavailable'];
const BODY_FAILURES: readonly ErrorCode[] = ['invalid', 'too_large', 'unsupported_media_type'];
const ACCESS_FAILURES: Record<Access, readonly ErrorCode[]> = {
  public: [],
  token: ['unauthorized', 'too_many_requests'],
  admin: ['unauthorized', 'too_many_requests', 'admin_required', 'admin_not_configured'],
};

const MEANINGS: Record<ErrorCode, string> = {
  invalid: 'The request is invalid; `field` names the invalid field, if there is one',
  unauthorized: 'The API token is missing or wrong',
  admin_required: 'The admin token is missing or wrong',
  admin_not_configured: 'The server has no admin token',
  forbidden: 'The request comes from a foreign web page, names a foreign host, or writes to a read-only service',
  not_found: 'The memory, version, run or proposal does not exist',
  method_not_allowed: 'The path does not support this method',
  conflict: 'A run is in progress, or stored data conflicts, such as an id with other content or an answered proposal',
  too_large: 'The body, or a part of it, is too large',
  unsupported_media_type: 'The type is not JSON',
  too_many_requests: 'Too many requests at once or in a short time; Retry-After says when to try again',
  internal: 'An internal error; `request_id` is the id of its log entry',
  unavailable: 'A store cannot be reached',
};

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The API token' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API token' },
  apiKeyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'The API token. Prefer a header, because query strings may be written to logs',
  },
  admin: { type: 'apiKey', in: 'header', name: 'X-Admin-Token', description: 'The admin token' },
  adminInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'admin_token',
    description: 'The admin token. Prefer a header, because query strings may be written to logs',
  },
};

export function createDocument({ version, operations, isTokenRequired }: DocumentParts): JsonSchema {
  const schemas: Record<string, JsonSchema> = { Error: jsonSchemaOf(errorAnswer, 'output') };
  const reference = (name: string, schema: z.ZodType, direction: 'input' | 'output') => {
    schemas[name] = jsonSchemaOf(schema, direction);
    return { $ref: `#/components/schemas/${name}` };
  };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, reference, isTokenRequired) };
  }
  for (const route of OTHER_ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeOther(route, isTokenRequired) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Engraph', version, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [...TAGS].map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas, securitySchemes: SECURITY_SCHEMES },
  };
}

const TAGS = new Map([
  ['memories', 'Storing, reading, changing and deleting memories'],
  ['recall', 'Finding memories'],
  ['relations', 'Creating and following relations between memories'],
  [
    'consolidation',
    'Background maintenance of memories: decay, linking, grouping, forgetting, and undoing their changes',
  ],
  ['hooks', 'Giving assistants context automatically, through hooks'],
  ['service', 'Health and maintenance of the service'],
]);

type Reference = (name: string, schema: z.ZodType, direction: 'input' | 'output') => JsonSchema;

function describe(operation: Operation, reference: Reference, isTokenRequired: boolean): JsonSchema {
  const { name, summary, tag, body, isBodyOptional, access } = operation;
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const examples = EXAMPLES.filter(example => example.operation === name);
  const content = (schema: JsonSchema, example: unknown) => ({
    'application/json': { schema, ...(example !== undefined && { example }) },
  });
  return {
    operationId: name,
    summary,
    tags: [tag],
    security: securityOf(access, isTokenRequired),
    parameters: parametersOf(operation, examples[0]),
    ...(body && {
      requestBody: {
        required: !isBodyOptional,
        content: content(reference(`${title}Request`, body, 'input'), examples[0]?.body),
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, schema]) => [
          status,
          {
            description: SUCCESSES[Number(status)] ?? 'Done',
            content: content(
              reference(`${title}Answer${status === '207' || status === '503' ? status : ''}`, schema, 'output'),
              examples.find(example => example.status === Number(status))?.answer,
            ),
          },
        ]),
      ),
      ...failuresOf({
        access,
        failures: operation.failures,
        hasBody: body !== undefined,
        statuses: Object.keys(operation.answers).map(Number),
      }),
    },
  };
}

function describeOther(route: OtherRoute, isTokenRequired: boolean): JsonSchema {
  const { name, summary, tag, status, mediaType, hasBody, access, failures } = route;
  const schema = { type: mediaType === 'application/json' ? 'object' : 'string' };
  return {
    operationId: name,
    summary,
    tags: [tag],
    security: securityOf(access, isTokenRequired),
    parameters: parametersOf(route, undefined),
    ...(hasBody && { requestBody: { required: true, content: { 'application/json': { schema: {} } } } }),
    responses: {
      [status]: { description: SUCCESSES[status], content: { [mediaType]: { schema } } },
      ...failuresOf({ access, failures, hasBody, statuses: [status] }),
    },
  };
}

const SUCCESSES: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Queued',
  207: 'Some items failed',
  503: 'The service is degraded; `reasons` explains why',
};

/** Without a configured token, anybody may call operations with access `token`. */
function securityOf(access: Access, isTokenRequired: boolean): JsonSchema[] {
  const tokens = isTokenRequired ? ['bearer', 'apiKey', 'apiKeyInQuery'] : [];
  if (access === 'public') return [];
  if (access === 'token') return tokens.map(token => ({ [token]: [] }));
  return ['admin', 'adminInQuery'].flatMap(admin =>
    tokens.length === 0 ? [{ [admin]: [] }] : tokens.map(token => ({ [token]: [], [admin]: [] })),
  );
}

function parametersOf(
  { path, query, takesIdempotencyKey }: Pick<Operation, 'path' | 'query' | 'takesIdempotencyKey'>,
  example: Example | undefined,
): JsonSchema[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...idIn(path),
    ...(example?.params?.[name] !== undefined && { example: example.params[name] }),
  }));
  const { properties = {} } = query ? jsonSchemaOf(query, 'input') : {};
  const inQuery = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: query?.shape[name]?.safeParse(undefined).success === false,
      description,
      schema,
      ...(example?.query?.[name] !== undefined && { example: typedValue(example.query[name], schema) }),
    }),
  );
  return [...inPath, ...inQuery, ...(takesIdempotencyKey ? [IDEMPOTENCY_KEY] : [])];
}

/** Describes the id in a path. Only the id of a memory must be a UUID. */
function idIn(path: string): { description: string; schema: JsonSchema } {
  const thing = path.startsWith('/consolidate/runs/') ? 'run' : 'proposal';
  return path.startsWith('/consolidate/')
    ? { description: `Id of the ${thing}`, schema: { type: 'string' } }
    : { description: 'Id (UUID) of the memory', schema: { type: 'string', format: 'uuid' } };
}

const IDEMPOTENCY_KEY: JsonSchema = {
  name: IDEMPOTENCY_KEY_HEADER,
  in: 'header',
  required: false,
  description:
    'Idempotency key of the request. Engraph derives missing ids of memories from the key, so that a repeated request stores nothing twice',
  schema: { type: 'string', maxLength: 255 },
};

/** Parses a text from a query string according to the type in its schema. */
function typedValue(text: string, { type }: JsonSchema): unknown {
  if (type === 'array') return [text];
  return type === 'string' ? text : JSON.parse(text);
}

interface Failing {
  access: Access;
  failures: readonly ErrorCode[];
  hasBody?: boolean | undefined;
  /** The statuses of answers that are no failures. */
  statuses: readonly number[];
}

function failuresOf({ access, hasBody, failures, statuses }: Failing): Record<string, JsonSchema> {
  const ofBody = hasBody ? BODY_FAILURES : [];
  const codes = new Set([...failures, ...ACCESS_FAILURES[access], ...ofBody, ...COMMON_FAILURES]);
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const status = httpStatusOf(code);
    if (statuses.includes(status)) continue;
    byStatus.set(status, [...(byStatus.get(status) ?? []), MEANINGS[code]]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, meanings]) => [
      status,
      {
        description: meanings.join('. Or: '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

interface OtherRoute {
  name: string;
  method: Method;
  path: string;
  access: Access;
  tag: Operation['tag'];
  summary: string;
  query?: z.ZodObject;
  /** Whether the request has a JSON body. */
  hasBody?: true;
  status: 200 | 201;
  mediaType: string;
  failures: readonly ErrorCode[];
}

export const exportQuery = exportPageRequest.pick({ since: true });

type Rest = Partial<OtherRoute> & Pick<OtherRoute, 'name' | 'summary'>;

function route(method: Method, path: string, rest: Rest): OtherRoute {
  return { method, path, access: 'token', tag: 'service', status: 200, mediaType: JSON_TYPE, failures: [], ...rest };
}

const JSON_TYPE = 'application/json';

const OTHER_ROUTES: readonly OtherRoute[] = [
  route('GET', '/export', {
    name: 'export',
    summary: 'Stream everything as JSON Lines, which an import accepts',
    access: 'admin',
    query: exportQuery,
    mediaType: 'application/x-ndjson',
    failures: ['invalid'],
  }),
  route('GET', '/metrics', {
    name: 'metrics',
    summary: 'Get counters and gauges in the format of Prometheus',
    mediaType: 'text/plain',
  }),
  route('GET', '/openapi.json', { name: 'openapi', summary: 'Get this document' }),
  route('GET', '/docs', { name: 'docs', summary: 'Show this document as a page', mediaType: 'text/html' }),
  route('POST', '/mcp', {
    name: 'mcpSend',
    summary: 'Send a message of MCP (streamable HTTP), or a batch of messages',
    hasBody: true,
    mediaType: 'text/event-stream',
    failures: ['invalid', 'not_found'],
  }),
  route('GET', '/mcp', {
    name: 'mcpListen',
    summary: 'Receive the messages of an MCP session',
    mediaType: 'text/event-stream',
    failures: ['invalid', 'not_found'],
  }),
  route('DELETE', '/mcp', { name: 'mcpEnd', summary: 'End an MCP session', failures: ['invalid', 'not_found'] }),
  route('GET', '/', {
    name: 'page',
    summary: 'Show the page that searches and changes memories',
    access: 'public',
    mediaType: 'text/html',
    failures: ['not_found'],
  }),
  route('GET', '/web/page.js', {
    name: 'pageScript',
    summary: 'Get the script of the page',
    access: 'public',
    mediaType: 'text/javascript',
    failures: ['not_found'],
  }),
  route('GET', '/web/page.css', {
    name: 'pageStyle',
    summary: 'Get the style of the page',
    access: 'public',
    mediaType: 'text/css',
    failures: ['not_found'],
  }),
  route('POST', '/web/codes', {
    name: 'issuePageCode',
    summary: 'Issue a code that opens the page once, within a minute',
    status: 201,
  }),
  route('POST', '/web/session', {
    name: 'redeemPageCode',
    summary: 'Exchange a code in the header X-View-Code for the API token',
    access: 'public',
    failures: ['unauthorized'],
  }),
];
