/** Posts JSON through `node:http`, which takes a quarter of the processor time of `fetch`. */
import { Agent as HttpAgent, type IncomingMessage, request as sendOverHttp } from 'node:http';
import { Agent as HttpsAgent, request as sendOverHttps } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { QdrantClientTimeoutError } from '../../packages/qdrant.js';

/** Maximum number of connections, as in the client of Qdrant. Further requests wait for a free connection. */
const SOCKETS_MAX = 25;
/** Time after which an idle connection is closed, because the server may be gone without notice. */
const IDLE_MS = 10_000;
/** Maximum length of an answer, in UTF-16 units. The answer to a search has a few kilobytes. */
const ANSWER_MAX = 64 * 1024 * 1024;

/** The server could not be reached, or the connection ended before the answer was complete. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';
}

export interface JsonServer {
  /** `http(s)://host:port`, and the path of the server if it has one. */
  base: string;
  headers: Readonly<Record<string, string>>;
  /** Time limit for a request with its answer. */
  timeoutMs: number;
}

export interface JsonAnswer {
  status: number;
  text: string;
}

/**
 * @param path appended to the path of the server
 * @throws ConnectionFailure
 * @throws QdrantClientTimeoutError when the answer is not complete within the time limit
 * @throws Error when the answer is too long
 */
export type PostJson = (path: string, value: unknown) => Promise<JsonAnswer>;

export function createPostJson({ base, headers, timeoutMs }: JsonServer): PostJson {
  const url = new URL(base);
  const isSecure = url.protocol === 'https:';
  const send = isSecure ? sendOverHttps : sendOverHttp;
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: SOCKETS_MAX, timeout: IDLE_MS });
  const target = { ...urlToHttpOptions(url), agent, method: 'POST' };
  const prefix = url.pathname.replace(/\/$/, '');
  const jsonHeaders = {
    'user-agent': 'engraph',
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...headers,
  };

  return (path, value) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(value);
      const lengthHeader = { 'content-length': Buffer.byteLength(body) };
      const outgoing = send({ ...target, path: prefix + path, headers: { ...jsonHeaders, ...lengthHeader } });
      const timer = setTimeout(() => {
        reject(new QdrantClientTimeoutError('The server did not answer within the time limit'));
        outgoing.destroy();
      }, timeoutMs);
      const fail = (error: Error) => {
        clearTimeout(timer);
        reject(
          error instanceof AnswerTooLong ? error : new ConnectionFailure('The connection failed', { cause: error }),
        );
      };
      outgoing.on('error', fail);
      // If the server switches protocols, only this event reports it. After a complete answer, the event has no effect.
      outgoing.on('close', () => fail(new Error('The connection was closed before the answer was complete')));
      outgoing.on('response', incoming => {
        incoming.on('error', fail);
        readText(incoming, text => {
          clearTimeout(timer);
          resolve({ status: incoming.statusCode ?? 0, text });
        });
      });
      outgoing.end(body);
    });
}

class AnswerTooLong extends Error {
  constructor() {
    super(`The answer has more than ${ANSWER_MAX} characters`);
  }
}

/** Destroys a message with `AnswerTooLong` as soon as its text is too long. */
function readText(incoming: IncomingMessage, onEnd: (text: string) => void): void {
  let text = '';
  incoming.setEncoding('utf8');
  incoming.on('data', (part: string) => {
    text += part;
    if (text.length > ANSWER_MAX) incoming.destroy(new AnswerTooLong());
  });
  incoming.on('end', () => onEnd(text));
}
