/**
 * A stand-in for a Qdrant server over real HTTP. Every request is checked against Qdrant's documented schema. A
 * violation is answered with 400 and Qdrant's message, and recorded in `violations`. Queries are really evaluated.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { z } from 'zod';
import * as collections from './qdrant-collection.js';
import { Refusal, type StandInCollection } from './qdrant-collection.js';
import * as schema from './qdrant-schema.js';

export interface QdrantRequest {
  method: string;
  /** The path without the query string. */
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  /** Size of the body in bytes. */
  bytes: number;
  body: unknown;
}

/** Replaces the real answer: a given answer, no answer, or a closed connection. */
export type QdrantBehaviour =
  | { status: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | 'hang'
  | 'drop';

type Interception = (request: QdrantRequest) => QdrantBehaviour | undefined | Promise<QdrantBehaviour | undefined>;

export interface QdrantServer {
  /** The address, without a trailing slash. `goAway` and `comeBack` do not change the address. */
  url: string;
  /** All requests so far, in order. */
  requests: QdrantRequest[];
  /** Requests that violated the schema. */
  violations: string[];
  collections: Map<string, StandInCollection>;
  /** Replaces the answers. A request gets the real answer if the interception is undefined or returns undefined. */
  behave(interception: Interception | QdrantBehaviour | undefined): void;
  /** Refuses connections and keeps the stored data. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

/** The maximum size of a body with the default settings of a server. */
const BODY_BYTES = 32 * 1024 * 1024;

/** Starts a server on a free port. The caller must call `goAway`. With `apiKey`, requests need that key. */
export async function startQdrantServer(apiKey?: string): Promise<QdrantServer> {
  const requests: QdrantRequest[] = [];
  const violations: string[] = [];
  const stored = new Map<string, StandInCollection>();
  let interception: Interception | undefined;

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(incoming);
    requests.push(request);
    const behaviour = (await interception?.(request)) ?? (apiKey === undefined ? undefined : guard(request, apiKey));
    if (behaviour) return behave(behaviour, response);
    try {
      send(response, 200, { result: serve(request, stored), status: 'ok', time: 0.001, usage: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 400) violations.push(`${request.method} ${request.path}: ${error.message}`);
      send(response, error.status, { status: { error: error.message }, time: 0.001 });
    }
  };

  let port = 0;
  let server: Server | undefined;
  const comeBack = async () => {
    server = createServer((incoming, response) => {
      answer(incoming, response).catch(error => {
        violations.push(String(error));
        incoming.socket.destroy();
      });
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  await comeBack();
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    violations,
    collections: stored,
    behave: next => {
      interception = typeof next === 'function' || next === undefined ? next : () => next;
    },
    goAway: async () => {
      const closing = server;
      server = undefined;
      closing?.closeAllConnections();
      if (closing) await new Promise(resolve => closing.close(resolve));
    },
    comeBack,
  };
}

async function readRequest(incoming: IncomingMessage): Promise<QdrantRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://stand-in');
  return {
    method: incoming.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers,
    bytes: Buffer.byteLength(text),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function guard({ headers }: QdrantRequest, apiKey: string): QdrantBehaviour | undefined {
  const given = headers['api-key'];
  if (given === apiKey) return undefined;
  return {
    status: 401,
    text: given === undefined ? 'Must provide an API key or an Authorization bearer token' : 'Invalid API key or JWT',
  };
}

function behave(behaviour: QdrantBehaviour, response: ServerResponse): void {
  if (behaviour === 'hang') return;
  if (behaviour === 'drop') return void response.socket?.destroy();
  const { status, json, text = '', headers } = behaviour;
  const type = json === undefined ? 'text/plain' : 'application/json';
  response
    .writeHead(status, { 'content-type': type, ...headers })
    .end(json === undefined ? text : JSON.stringify(json));
}

function send(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

interface Route {
  parameters: z.ZodType;
  body?: z.ZodType;
  serve(collection: StandInCollection, body: never): unknown;
}

/** A route whose handler gets the parsed body. */
function route<Body extends z.ZodType>(
  parameters: z.ZodType,
  body: Body,
  handle: (collection: StandInCollection, body: z.infer<Body>) => unknown,
): Route {
  return { parameters, body, serve: handle };
}

const DONE = { operation_id: 1, status: 'completed' };
const { readParameters: read, writeParameters: write } = schema;

/** The routes by their method and by the path after the name of the collection. */
const ROUTES: Record<string, Route> = {
  'GET ': { parameters: schema.noParameters, serve: collections.infoOf },
  'PUT /index': route(write, schema.newIndex, (collection, { field_name, field_schema }) => {
    collections.createIndex(collection, field_name, field_schema);
    return DONE;
  }),
  'PUT /points': route(write, schema.newPoints, (collection, { points }) => {
    collections.upsert(collection, points);
    return DONE;
  }),
  'POST /points/delete': route(write, schema.pointsSelector, (collection, selector) => {
    collections.remove(collection, selector);
    return DONE;
  }),
  'POST /points/payload': route(write, schema.newPayload, (collection, change) => {
    collections.changePayload(collection, change, false);
    return DONE;
  }),
  'PUT /points/payload': route(write, schema.newPayload, (collection, change) => {
    collections.changePayload(collection, change, true);
    return DONE;
  }),
  'POST /points/batch': route(write, schema.operations, (collection, { operations }) => {
    collections.apply(collection, operations);
    return operations.map(() => DONE);
  }),
  'POST /points': route(read, schema.pointRequest, (collection, { ids, ...shown }) =>
    collections.retrieve(collection, ids, shown),
  ),
  'POST /points/query': route(read, schema.queryRequest, collections.query),
  'POST /points/query/batch': route(read, schema.queryRequestBatch, (collection, { searches }) =>
    searches.map(each => collections.query(collection, each)),
  ),
  'POST /points/scroll': route(read, schema.scrollRequest, collections.scroll),
  'POST /points/count': route(read, schema.countRequest, (collection, { filter }) =>
    collections.count(collection, filter),
  ),
};

function serve(request: QdrantRequest, stored: Map<string, StandInCollection>): unknown {
  const { method, path, bytes } = request;
  if (bytes > BODY_BYTES) throw new Refusal(413, 'Payload error: JSON payload is too large');
  const [, encodedName = '', rest = ''] = /^\/collections\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const name = decodeURIComponent(encodedName);
  if (name === '') throw new Refusal(400, `no such path: ${method} ${path}`);
  if (rest === '' && method === 'PUT') return create(request, name, stored);
  if (rest === '' && method === 'DELETE') {
    parse(schema.collectionParameters, request.query);
    return stored.delete(name);
  }
  const found = ROUTES[`${method} ${rest}`];
  if (!found) throw new Refusal(400, `no such path: ${method} ${path}`);
  parse(found.parameters, request.query);
  const body = found.body ? parse(found.body, request.body) : request.body;
  const collection = stored.get(name);
  if (!collection) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
  return found.serve(collection, body as never);
}

function create({ query, body }: QdrantRequest, name: string, stored: Map<string, StandInCollection>): true {
  parse(schema.collectionParameters, query);
  const config = parse(schema.newCollection, body);
  if (stored.has(name)) throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`);
  stored.set(name, collections.createStandInCollection(config));
  return true;
}

function parse<Schema extends z.ZodType>(expected: Schema, given: unknown): z.infer<Schema> {
  const parsed = expected.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal(400, `Format error in JSON body: ${issue?.message} at ${issue?.path.join('.')}`);
}
