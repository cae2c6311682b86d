/** A memory that another machine, or another user, serves over HTTP. */
import { randomUUID } from 'node:crypto';
import type { RemoteSettings } from '../config.js';
import { MemoryError } from '../domain/errors.js';
import { isSameToken } from '../http/auth.js';
import { REQUEST_ID_HEADER } from '../http/every-request.js';
import { forwardedAnswer, type HeldRequest } from './held-request.js';
import type { OpenMemory } from './relay.js';

/** Header with the ids of the processes that have forwarded the request to another service. */
const RELAYS_HEADER = 'x-engraph-relays';

/** Connects to a service. The caller's tokens and cookies are not sent to the service. */
export function connectionToUrl(settings: RemoteSettings): OpenMemory {
  const { url } = settings;
  const id = randomUUID();
  return {
    fetch: async (request, signal) => {
      const relays = request.headers[RELAYS_HEADER]?.split(', ') ?? [];
      if (relays.includes(id)) throw loopError(url);
      const headers = {
        ...request.headers,
        ...rightsOf(request, settings),
        [RELAYS_HEADER]: [...relays, id].join(', '),
      };
      const answer = await send(url, { ...request, headers }, signal);
      const failure = failureOf(answer, settings);
      if (failure === undefined) return forwardedAnswer(answer);
      // An answer occupies its connection until its body is read or cancelled.
      await answer.body?.cancel();
      throw failure;
    },
    close: async () => {},
  };
}

/**
 * Returns headers with the tokens of this process. The admin token is included only if the caller has presented the
 * same admin token.
 */
function rightsOf(request: HeldRequest, { token, adminToken }: RemoteSettings): Record<string, string> {
  const isOperator = adminToken !== undefined && isSameToken(adminToken, request.adminToken);
  return {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(isOperator && { 'x-admin-token': adminToken }),
  };
}

async function send(url: string, { method, target, headers, body }: HeldRequest, signal: AbortSignal | undefined) {
  try {
    const content = { headers, ...(body && { body }), ...(signal && { signal }) };
    // Redirects are not followed, because a redirect could send the tokens to another host.
    return await fetch(`${url}${target}`, { method, redirect: 'manual', ...content });
  } catch (cause) {
    const code = (cause as { cause?: { code?: unknown } }).cause?.code;
    throw new MemoryError('unavailable', `${url} gave no answer${code === undefined ? '' : ` (${code})`}`, {
      cause,
      hint: 'Check that the service runs at that address, or correct ENGRAPH_URL.',
    });
  }
}

/**
 * Returns an error if the answer does not come from Engraph, or if the service refuses the token. Every answer of Engraph
 * has a request id, but an answer of a proxy or of another program has none.
 */
function failureOf(answer: Response, settings: RemoteSettings): MemoryError | undefined {
  if (!answer.headers.has(REQUEST_ID_HEADER)) return strangersAnswer(answer, settings);
  return answer.status === 401 ? refused(answer, settings) : undefined;
}

function strangersAnswer({ headers, status }: Response, { url }: RemoteSettings): MemoryError {
  const place = headers.get('location');
  const answer = place === null ? String(status) : `${status}, redirect to ${place}`;
  return new MemoryError('unavailable', `The answer from ${url} does not come from Engraph (status ${answer})`, {
    hint: 'ENGRAPH_URL must be the address of a running engraph serve. A proxy before it must forward all answers.',
  });
}

/**
 * Describes a refusal. The token of this process must be wrong or missing, because the caller's own permissions were
 * sufficient.
 */
function refused({ headers }: Response, { url, token, adminToken }: RemoteSettings): MemoryError {
  if (!headers.has('www-authenticate')) {
    const message = `${url} ${adminToken === undefined ? 'requires an admin token' : 'refuses the admin token'}`;
    return new MemoryError('admin_required', message, {
      hint: 'ADMIN_API_TOKEN must be the same in this process and in the service at that address.',
    });
  }
  const problem = token === undefined ? 'requires an API token, and ENGRAPH_TOKEN is not set' : 'refuses ENGRAPH_TOKEN';
  return new MemoryError('unauthorized', `${url} ${problem}`, {
    hint: 'Set ENGRAPH_TOKEN to the SERVICE_API_TOKEN of the service at that address.',
  });
}

function loopError(url: string): MemoryError {
  return new MemoryError('unavailable', `ENGRAPH_URL (${url}) leads back to this process`, {
    hint: 'Set ENGRAPH_URL to the address of the service that has the memory.',
  });
}
