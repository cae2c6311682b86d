/** Answers bytes that are not an HTTP request. Such bytes reach no route, but the caller still gets JSON. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { renderFailure } from '../api/error.js';
import { REQUEST_ID_HEADER } from './request-id.js';
import { SAFE_HEADERS } from './safe-headers.js';

const STATUS_BY_ERROR_CODE: Readonly<Record<string, ContentfulStatusCode>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Time in milliseconds after which a client that does not close the connection is disconnected. If the client were
 * disconnected at once, the answer could be lost.
 */
const LINGER_MS = 500;

/**
 * Answers what a Node server reports as `clientError`, and closes the connection.
 *
 * @param message shown to the caller instead of the name of the status
 */
export function answerProtocolError(error: NodeJS.ErrnoException, socket: Duplex, message?: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_BY_ERROR_CODE[error.code ?? ''] ?? 400;
  const reason = STATUS_CODES[status] ?? 'Error';
  const body = JSON.stringify(renderFailure(status, message ?? reason));
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${randomUUID()}`,
    ...Object.entries(SAFE_HEADERS).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(deadline));
}
