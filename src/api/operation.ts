/** Defines one operation of the REST interface: its input, its answers, and the engine method that it calls. */
import type { z } from 'zod';
import type { ErrorCode } from '../domain/errors.js';
import type { Engine } from '../engine/engine.js';
import { memoryId } from './fields.js';
import { type RawInput, readField } from './input.js';
import { type OperationName, ROUTES, type Route } from './routes.js';

/** Who may call the operation: anybody, callers with the API token, or operators who also have the admin token. */
export type Access = 'public' | 'token' | 'admin';

/** The parts of a request before they are parsed. */
export interface RawRequest {
  params: RawInput;
  query: RawInput;
  /** Undefined when there is no body. */
  body: unknown;
  /** Undefined when the caller sent no idempotency key. */
  idempotencyKey: string | undefined;
}

export type AnswerStatus = 200 | 201 | 202 | 207 | 503;

/** A recorded request and its answer. */
export interface Example {
  /** Name of the operation. */
  operation: string;
  status: number;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  answer: unknown;
}

export interface Operation extends Route {
  name: OperationName;
  access: Access;
  /** Group in the OpenAPI document. */
  tag: 'memories' | 'recall' | 'relations' | 'consolidation' | 'hooks' | 'service';
  /** Description in one sentence. */
  summary: string;
  query?: z.ZodObject;
  /** Query parameters that clients send and that have no effect here. */
  ignoredQuery?: readonly string[];
  body?: z.ZodType;
  /** The body may be left out. */
  isBodyOptional?: true;
  /**
   * The operation takes no place among the requests that compute: it reports the state of the service, works in the
   * background, or limits its own wait.
   */
  needsNoPlace?: true;
  /** The operation stores memories and reads the idempotency key, which makes repeated requests safe. */
  takesIdempotencyKey?: true;
  /** Schemas of the answers, by HTTP status. Tests check every answer against them, and a running service does not. */
  answers: Partial<Record<AnswerStatus, z.ZodType>>;
  /** The status of an answer; by default the lowest of `answers`. */
  statusOf?(answer: object): AnswerStatus;
  /** Failures specific to this operation. Failures of its access, its body and the stores are added automatically. */
  failures: readonly ErrorCode[];
  /**
   * Reads the request, and answers it in the names of the interface.
   *
   * @throws MemoryError for each failure whose cause is reported to the caller
   */
  run(engine: Engine, request: RawRequest): Promise<object>;
}

export function routeOf(name: OperationName): Pick<Operation, 'name' | 'method' | 'path'> {
  return { name, ...ROUTES[name] };
}

/**
 * Runs an operation in this process, in a place among the requests that compute.
 *
 * @param read reads the request once the operation has its place
 * @throws MemoryError like `Operation.run`, or `too_many_requests` when too many requests wait for a place
 */
export function runOperation(
  operation: Operation,
  engine: Engine,
  read: () => RawRequest | Promise<RawRequest>,
): Promise<object> {
  const run = async () => operation.run(engine, await read());
  return operation.needsNoPlace ? run() : engine.inPlace(run);
}

export function statusOfAnswer({ answers, statusOf: decide }: Operation, answer: object): AnswerStatus {
  return decide?.(answer) ?? (Number(Object.keys(answers)[0]) as AnswerStatus);
}

/** The id of the memory in the path. */
export function memoryIdIn({ params }: RawRequest): string {
  return readField(memoryId, params.id, 'memory_id');
}
