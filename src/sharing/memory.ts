/** The memory for the tools and commands of this process: its operations run here, or in the process that has it open. */
import { renderFailure } from '../api/answer-fields.js';
import type { RawInput } from '../api/input.js';
import { renderChange } from '../api/memories.js';
import { type Operation, runOperation } from '../api/operation.js';
import { operationsByName } from '../api/operations.js';
import {
  type Call,
  type EngraphClient,
  memoryOver,
  type OperationName,
  type RequestParts,
  ROUTES,
  type Route,
} from '../api/routes.js';
import { callOver, EngraphError } from '../client/sender.js';
import { type ErrorCode, MemoryError, readOnlyRefusal } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import type { Engine } from '../engine/engine.js';
import { describeError } from '../http/errors.js';
import type { Forward } from '../http/memory-app.js';
import type { Logger } from '../log.js';
import { currentCancellation } from '../request-context.js';
import { waitFor } from './election.js';
import { firstOf } from './relay.js';
import type { SharedMemory } from './shared-memory.js';

/** Time limit for an answer of another process, so that the error can name an owner that hangs. */
const FORWARDED_WITHIN_MS = 20_000;
/** Time limit for a call of a tool. It ends before the client of the tool stops waiting. */
const ANSWER_WITHIN_MS = 21_000;
const RETRY_DELAYS_MS = [500, 1_000, 2_000];
/** Status of the answer to a cancelled request, which nobody reads. The request is not repeated after this status. */
const CANCELLED = 408;

export interface MemoryParts {
  memory: Pick<SharedMemory, 'reach' | 'isReadOnly'>;
  clock: Pick<Clock, 'schedule'>;
  /** Receives failures of the memory, and on the way to it. */
  log: Logger;
  /** Replaces the time limits of the tools, for calls that may take long. */
  timeoutMs?: number;
  /** Set for calls of operators, because a service at a URL requires this token for such calls. */
  adminToken?: string | undefined;
  retryDelaysMs?: readonly number[];
}

/** Every method rejects with MemoryError. A call that finds the memory busy or unavailable is attempted again. */
export function createMemoryClient(parts: MemoryParts): EngraphClient {
  const { memory, clock, log, timeoutMs = ANSWER_WITHIN_MS, retryDelaysMs = RETRY_DELAYS_MS } = parts;
  let forwarded: Call | undefined;
  const call = async <Answer>(name: OperationName, request: RequestParts): Promise<Answer> => {
    const { engine, forward } = await memory.reach();
    if (engine) return (await runHere(operationsByName(engine.limits)[name], request, { engine, log })) as Answer;
    forwarded ??= forwardingCall(forward, parts);
    return forwarded(name, request);
  };
  const callRepeatedly = async <Answer>(name: OperationName, request: RequestParts): Promise<Answer> => {
    const { isAttemptedOnce = false }: Route = ROUTES[name];
    const delaysMs = isAttemptedOnce ? [] : retryDelaysMs;
    let mayBeDone = false;
    for (let attempt = 0; ; attempt++) {
      try {
        return await call(name, request);
      } catch (error) {
        const code = error instanceof MemoryError ? error.code : undefined;
        // An earlier attempt without an answer may have deleted the memory.
        if (name === 'remove' && code === 'not_found' && mayBeDone) return renderChange(request.id ?? '') as Answer;
        const delayMs = delaysMs[attempt];
        const isFinal = code === undefined || !MAY_PASS.has(code) || currentCancellation()?.aborted === true;
        if (isFinal || delayMs === undefined) throw error;
        mayBeDone ||= code !== 'too_many_requests';
        await waitFor(clock, delayMs);
      }
    }
  };
  return memoryOver(async <Answer>(name: OperationName, request: RequestParts = {}) => {
    if (memory.isReadOnly && ROUTES[name].method !== 'GET') throw readOnlyRefusal();
    if (currentCancellation()?.aborted) throw cancelled();
    return Promise.race([callRepeatedly<Answer>(name, request), endOfWaiting(timeoutMs)]);
  });
}

const MAY_PASS: ReadonlySet<ErrorCode> = new Set(['unavailable', 'too_many_requests', 'internal']);

async function runHere(
  operation: Operation,
  { id, query = {}, body }: RequestParts,
  { engine, log }: { engine: Engine; log: Logger },
): Promise<object> {
  const request = { params: { id }, query: query as RawInput, body, idempotencyKey: undefined };
  try {
    return await runOperation(operation, engine, () => request);
  } catch (error) {
    const { message } = describeError(error, `${operation.method} ${operation.path}`, log);
    throw error instanceof MemoryError ? error : new MemoryError('internal', message, { cause: error });
  }
}

/** Rejects with MemoryError `unavailable` when the time is over, or when the caller has cancelled the call. */
function endOfWaiting(timeoutMs: number): Promise<never> {
  const cancellation = currentCancellation();
  const signal = firstOf([AbortSignal.timeout(timeoutMs), cancellation]);
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(cancellation?.aborted ? cancelled() : late()), { once: true });
  });
}

function cancelled(): MemoryError {
  return new MemoryError('unavailable', 'The call was cancelled');
}

function late(): MemoryError {
  const hint = 'The memory may still be opening: try again in a while.';
  return new MemoryError('unavailable', 'The memory has not answered in time', { hint });
}

/** Sends operations to the process that has the memory open. */
function forwardingCall(forward: Forward, { log, timeoutMs, adminToken }: MemoryParts): Call {
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const cancellation = currentCancellation();
    try {
      cancellation?.throwIfAborted();
      const signal = firstOf([init.signal, cancellation]);
      return await forward(new Request(url, { ...init, signal }), timeoutMs ?? FORWARDED_WITHIN_MS);
    } catch (error) {
      if (cancellation?.aborted) return Response.json(renderFailure(CANCELLED, 'Cancelled'), { status: CANCELLED });
      const body = describeError(error, 'A call to the memory', log);
      return Response.json(body, { status: body.code });
    }
  };
  const call = callOver({
    url: 'http://memory',
    fetch,
    retryDelaysMs: [],
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(adminToken !== undefined && { adminToken }),
  });
  return async (name, request) => {
    try {
      return await call(name, request);
    } catch (error) {
      throw error instanceof EngraphError ? asMemoryError(error) : error;
    }
  };
}

/** Error codes by the HTTP status with which another process refuses a request. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  429: 'too_many_requests',
  500: 'internal',
};

function asMemoryError({ status = 0, message, field, details: hint, cause }: EngraphError): MemoryError {
  return new MemoryError(CODES[status] ?? 'unavailable', message, {
    ...(field !== undefined && { field }),
    ...(hint !== undefined && { hint }),
    cause,
  });
}
