/**
 * Answers bytes that are not an HTTP request, and reads requests whose address contains characters outside of ASCII. Some
 * clients, such as curl, send what the user typed without percent-encoding it, and the parser of Node refuses that.
 */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { renderFailure } from '../api/answer-fields.js';
import { REQUEST_ID_HEADER, SAFE_HEADERS } from './every-request.js';

/** What Node reports about bytes that it cannot parse. */
type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

const ADDRESSES = ['remoteAddress', 'remotePort', 'localAddress', 'localPort'] as const;
const LAST_ASCII = 0x7f;
const REQUEST_LINE = /^[A-Z]+ [^ \r\n]+ HTTP\/1\.[01]$/;

/** Lets a server answer requests with such an address. Requests with any other error of the protocol get 400. */
export function acceptRawTargets(server: Server): void {
  const answering = new WeakSet<object>();
  const reread = new WeakSet<object>();
  server.prependListener('request', ({ socket }, response) => {
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
    if (socket instanceof RereadConnection) response.setHeader('Connection', 'close');
  });
  server.on('clientError', (error: ParseError, socket) => {
    // The first parser of this connection has failed before, and another one has taken over.
    if (reread.has(socket)) return;
    const packet = answering.has(socket) || socket instanceof RereadConnection ? undefined : rawRequest(error);
    if (packet === undefined) answerProtocolError(error, socket);
    else if (!isUtf8(packet.line)) answerProtocolError(error, socket, 'The address of the request is not valid UTF-8');
    else {
      reread.add(socket);
      const { line, rest } = packet;
      server.emit('connection', new RereadConnection(socket as Socket, Buffer.concat([encoded(line), rest])));
    }
  });
}

/** Returns the first line of a packet and its rest, if the line is the reason of the failure. */
function rawRequest({ code, rawPacket, bytesParsed = 0 }: ParseError): { line: Buffer; rest: Buffer } | undefined {
  if (code !== 'HPE_INVALID_URL' || rawPacket === undefined) return undefined;
  const end = rawPacket.indexOf('\r\n');
  const line = rawPacket.subarray(0, end);
  // A complete request may precede the one that failed. It has been answered, so it must not be read again.
  const isFirst = end > bytesParsed && REQUEST_LINE.test(line.toString('latin1'));
  const isRaw = line.some(byte => byte > LAST_ASCII);
  return isFirst && isRaw ? { line, rest: rawPacket.subarray(end) } : undefined;
}

function encoded(line: Buffer): Buffer {
  const text = line.toString('latin1');
  return Buffer.from(
    text.replace(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16)}`),
    'latin1',
  );
}

/**
 * The same connection for another parser: the corrected bytes come first, then what the client sends further. It is a
 * `Socket` with the addresses of the connection, because the guards ask who has opened it.
 */
class RereadConnection extends Socket {
  readonly #socket: Socket;

  constructor(socket: Socket, first: Buffer) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    for (const name of ADDRESSES) Object.defineProperty(this, name, { get: () => socket[name] });
    this.push(first);
    socket.removeAllListeners('data');
    socket.on('data', bytes => {
      if (!this.push(bytes)) socket.pause();
    });
    socket.once('end', () => this.push(null));
    socket.once('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _writev(parts: { chunk: Buffer; encoding: BufferEncoding }[], done: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(parts.map(({ chunk, encoding }) => Buffer.from(chunk as never, encoding))), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

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
function answerProtocolError(error: NodeJS.ErrnoException, socket: Duplex, message?: string): void {
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
