/** A client of the real application without sockets, over a connection that a test may break. */
import { onTestFinished } from 'vitest';
import { type ClientOptions, createClient } from '../../src/client/client.js';
import { openTestApp } from '../http/test-app.js';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** Sends a request to the service. A test may answer instead of the service, or damage its answer. */
export type Connection = (send: Fetch, ...request: Parameters<Fetch>) => ReturnType<Fetch>;

export async function connect({
  around = (send, ...request) => send(...request),
  ...options
}: Partial<ClientOptions> & { around?: Connection } = {}) {
  const { app, engine, close } = await openTestApp({ apiToken: 'secret', adminToken: 'admin' });
  onTestFinished(close);
  const targets: string[] = [];
  const client = createClient({
    url: 'http://127.0.0.1:8001/',
    token: 'secret',
    adminToken: 'admin',
    retryDelaysMs: [0, 0, 0],
    fetch: (url, init) => {
      targets.push(`${init.method} ${new URL(url).pathname}`);
      return around((target, request) => app.request(target, request), url, init);
    },
    ...options,
  });
  return { client, engine, targets };
}

/**
 * Forwards every request and loses the first answers.
 *
 * @param beginning method and beginning of the path, such as `PATCH /memory`: only answers to these requests are lost
 */
export function losingAnswers(count: number, beginning = ''): Connection {
  let lost = 0;
  return async (send, url, init) => {
    const answer = await send(url, init);
    const isMeant = `${init.method} ${new URL(url).pathname}`.startsWith(beginning);
    if (isMeant && lost++ < count) throw new TypeError('the connection broke');
    return answer;
  };
}

/** Answers the first request instead of the service, and forwards all later requests. */
export function answeringFirst(answer: Response): Connection {
  let isFirst = true;
  return (send, ...request) => {
    if (!isFirst) return send(...request);
    isFirst = false;
    return answer;
  };
}
