/** The routes of the service that are no operations, for the OpenAPI document. */
import type { z } from 'zod';
import type { ErrorCode } from '../domain/errors.js';
import type { Access, Operation } from './operation.js';
import { exportPageRequest } from './requests/transfer.js';
import type { Method } from './routes.js';

export interface OtherRoute {
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

export const OTHER_ROUTES: readonly OtherRoute[] = [
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
