/** One operation of the REST interface: what it takes, what it answers, and which method of the engine does it. */
import type { z } from 'zod';
import type { ErrorCode } from '../domain/errors.js';
import type { Engine } from '../engine/engine.js';
import type { RawInput } from './input.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Who may call it: anybody, callers with the API token, or operators with the admin token beside it. */
export type Access = 'public' | 'token' | 'admin';

/** What a request carries, before it is read. */
export interface RawRequest {
  params: RawInput;
  query: RawInput;
  /** Undefined where there is none. */
  body: unknown;
  /** Undefined where the caller did not name the request. */
  idempotencyKey: string | undefined;
}

export interface Answer {
  status: 200 | 201 | 202 | 207 | 503;
  body: object;
}

/** A request that was made, and its answer. */
export interface Example {
  /** Name of the operation. */
  operation: string;
  status: number;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  answer: unknown;
}

export interface Operation {
  /** In camelCase, unique. */
  name: string;
  method: Method;
  /** A parameter stands as `:name`. */
  path: string;
  access: Access;
  /** Group in the documents. */
  tag: 'memories' | 'recall' | 'relations' | 'consolidation' | 'hooks' | 'service';
  /** One sentence. */
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** It may be left out. */
  isBodyOptional?: true;
  /** It stores, and reads the header that makes it safe to send again. */
  takesIdempotencyKey?: true;
  /** By status. */
  answers: Partial<Record<Answer['status'], z.ZodType>>;
  /** Failures that belong to it; those of its access, its body and the stores come by themselves. */
  failures: readonly ErrorCode[];
  /** @throws MemoryError for what the caller should know */
  run(engine: Engine, request: RawRequest): Promise<Answer>;
}
