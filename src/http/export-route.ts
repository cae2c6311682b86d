/** The route that streams an export. It reads the records page by page from the memory. */
import type { Hono, MiddlewareHandler } from 'hono';
import { readObject } from '../api/input.js';
import { exportQuery } from '../api/openapi.js';
import { type Operation, type RawRequest, runOperation } from '../api/operation.js';
import type { ExportPageAnswer } from '../api/transfer.js';
import { toExportPageRequest } from '../api/transfer-records.js';
import { toIso } from '../domain/time.js';
import { EXPORT_VERSION } from '../domain/versions.js';
import { exportLines, type Lines, type PageQuery } from '../transfer/export-lines.js';
import { presentedAdminToken } from './auth.js';
import { addResource } from './every-request.js';
import type { Reach } from './memory-app.js';
import { queryOf } from './params.js';

export const EXPORT_PATH = '/export';
const MEDIA_TYPE = 'application/x-ndjson; charset=utf-8';

export interface ExportRouteParts {
  reach: Reach;
  operations: readonly Operation[];
  requireAdmin: MiddlewareHandler;
  /** Version of the package. */
  version: string;
}

/** Registers `/export`. A failure on the first page is answered as an error. A later failure ends the stream early. */
export function addExportRoute(app: Hono, { reach, operations, requireAdmin, version }: ExportRouteParts): void {
  app.get(EXPORT_PATH, requireAdmin);
  const ofPage = operations.find(({ name }) => name === 'exportPage') as Operation;
  addResource(app, EXPORT_PATH, {
    GET: async ({ req: request, body }) => {
      const { since } = toExportPageRequest(
        readObject(exportQuery, queryOf(request, { schema: exportQuery }), 'The query'),
      );
      const readPage = async (query: PageQuery): Promise<ExportPageAnswer> => {
        const { engine, forward } = await reach();
        if (engine) return (await runOperation(ofPage, engine, () => pageOf(query))) as ExportPageAnswer;
        const answer = await forward(pageRequest(request.raw, query));
        if (!answer.ok) throw new RefusedPage(answer);
        return (await answer.json()) as ExportPageAnswer;
      };
      const header = { version: EXPORT_VERSION, exported_at: toIso(Date.now()), engraph: version };
      const lines = exportLines(readPage, { ...header, ...(since !== undefined && { since }) });
      try {
        const first = await lines.next();
        const second = await lines.next();
        return body(streamOf([first, second], lines), 200, { 'Content-Type': MEDIA_TYPE });
      } catch (error) {
        if (error instanceof RefusedPage) return error.answer;
        throw error;
      }
    },
  });
}

/** Another process, which has the memory open, answered the request for a page with an error. */
class RefusedPage extends Error {
  override readonly name = 'RefusedPage';

  readonly answer: Response;

  constructor(answer: Response) {
    super(`The memory answered ${answer.status}`);
    this.answer = answer;
  }
}

function pageOf(query: PageQuery): RawRequest {
  return { params: {}, query: { ...query }, body: undefined, idempotencyKey: undefined };
}

function pageRequest(request: Request, query: PageQuery): Request {
  const url = new URL('/admin/export', request.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const token = presentedAdminToken(request);
  return new Request(url, { headers: token === undefined ? {} : { 'x-admin-token': token } });
}

/** Reads the next page when the client has received the previous page. */
function streamOf(begun: IteratorResult<Lines>[], rest: AsyncGenerator<Lines>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async controller => {
      const { done, value } = begun.shift() ?? (await rest.next());
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.text));
    },
    cancel: async () => void (await rest.return(undefined)),
  });
}
