/** Sends operations to a service, within a time limit, and retries when that may help. */
import type { HealthAnswer } from '../api/health.js';
import { type Call, ROUTES, type Route } from '../api/routes.js';

export interface SenderOptions {
  /** Address of the service, for example `http://127.0.0.1:8001`. */
  url: string;
  /** The API token. */
  token?: string;
  /** The admin token. Calls for administration require it, such as `reembed`, `restore` and `exportPage`. */
  adminToken?: string;
  /** Limits a call with all its attempts and pauses, in milliseconds. 25 seconds by default. */
  timeoutMs?: number;
  /** One pause before each retry, in milliseconds. By default half a second, one second and two seconds. */
  retryDelaysMs?: readonly number[];
  /** Replaces the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Response | Promise<Response>;
}

interface SentParts {
  query?: object | undefined;
  body?: object;
  /** Whether a body counts as an answer even if the status is above 299. */
  accepts?: (body: unknown) => boolean;
  /**
   * The result for a 404 that follows an attempt without an answer, because that attempt may have removed the memory.
   */
  ifGone?: object;
  /** Whether to send the request only once, for example because a retry would repeat costly work. */
  isSentOnce?: boolean;
}

/** Resolves to the body. The caller asserts its type. */
type Send = <Answer>(method: string, path: string, parts: SentParts) => Promise<Answer>;

const TIMEOUT_MS = 25_000;
const RETRY_DELAYS_MS = [500, 1_000, 2_000];
/** Maximum length of a quoted body, in characters. A proxy may answer with a whole page. */
const QUOTE_MAX_LENGTH = 200;

/** Sends operations to a service. */
export function callOver(options: SenderOptions): Call {
  const send = createSender(options);
  return (name, { id, query, body } = {}) => {
    const { method, path, isAttemptedOnce = false }: Route = ROUTES[name];
    return send(method, id === undefined ? path : path.replace(':id', encodeURIComponent(id)), {
      query,
      ...(body && { body }),
      isSentOnce: isAttemptedOnce,
      ...(name === 'health' && { accepts: isHealth }),
      ...(name === 'remove' && { ifGone: { status: 'success', memory_id: id } }),
    });
  };
}

/** Whether a body with status 503 is from a degraded service. A proxy that cannot reach the service answers 503 too. */
function isHealth(body: unknown): boolean {
  return (body as Partial<HealthAnswer> | null)?.status === 'degraded';
}

function createSender(options: SenderOptions): Send {
  const { url, timeoutMs = TIMEOUT_MS, retryDelaysMs = RETRY_DELAYS_MS, fetch: request = fetch } = options;
  assertUrl(url);
  const base = url.replace(/\/$/, '');

  return async <Answer>(method: string, path: string, parts: SentParts): Promise<Answer> => {
    const { query, body, accepts = () => false, ifGone, isSentOnce = false } = parts;
    const target = `${base}${path}${queryString(query)}`;
    const content = { headers: headersOf(options, body !== undefined), ...(body && { body: JSON.stringify(body) }) };
    const deadline = startDeadline(timeoutMs);
    // A redirect is not followed, because it could send the tokens to another host.
    const init: RequestInit = { method, signal: deadline.signal, redirect: 'manual', ...content };
    try {
      let mayBeDone = false;
      /** The last outcome with a body from the service. */
      let said: Outcome | undefined;
      for (let attempt = 0; ; attempt++) {
        const outcome = await attemptOnce(deadline, () => request(target, init));
        if (isAnswer(outcome, accepts)) return outcome.body as Answer;
        const { status } = outcome;
        if (outcome.body !== undefined) said = outcome;
        if (status === 404 && mayBeDone && ifGone) return ifGone as Answer;
        mayBeDone ||= status === undefined;
        const isFinal = isSentOnce || (status !== undefined && status < 500 && status !== 429);
        const delayMs = retryDelaysMs[attempt];
        if (isFinal || delayMs === undefined || !(await deadline.pause(delayMs)))
          throw failureOf(said ?? outcome, base);
      }
    } finally {
      deadline.clear();
    }
  };
}

interface Outcome {
  /** Undefined when no answer came, or when an answer with status 2xx could not be read. */
  status?: number;
  /** Undefined when the body is not valid JSON. */
  body?: unknown;
  /** The text of a body that is not JSON. */
  text?: string;
  cause?: unknown;
}

async function attemptOnce(deadline: Deadline, request: () => Response | Promise<Response>): Promise<Outcome> {
  const outcome: Outcome = {};
  try {
    const response = await deadline.bound(request());
    // Keep the status of a refusal even if its body is lost. A success whose body is lost counts as no answer.
    if (!response.ok) outcome.status = response.status;
    outcome.text = await deadline.bound(response.text());
    return { status: response.status, body: JSON.parse(outcome.text) };
  } catch (cause) {
    return { ...outcome, cause };
  }
}

function isAnswer({ status, body }: Outcome, accepts: (body: unknown) => boolean): boolean {
  return body !== undefined && status !== undefined && (status < 300 || accepts(body));
}

function failureOf({ status, body, text, cause }: Outcome, url: string): EngraphError {
  const said = (body ?? {}) as { message?: string; field?: string; details?: string };
  const { message = describe({ status, text, cause }, url), field, details } = said;
  return new EngraphError(message, { status, field, details, cause });
}

/** Builds the error message if the service sent none. */
function describe(
  { status, text = '', cause }: { status: number | undefined; text: string | undefined; cause: unknown },
  url: string,
): string {
  const quote = text.trim().slice(0, QUOTE_MAX_LENGTH);
  if (status !== undefined) return `${url} answered ${status}${quote && `: ${quote}`}`;
  if (quote) return `${url} returned an answer that is not JSON: ${quote}`;
  const code = codeOf(cause);
  return `${url} gave no answer${code === undefined ? '' : ` (${code})`}`;
}

/** The code of an error, for example ECONNREFUSED. `fetch` hides the code in the cause of its error. */
function codeOf(cause: unknown): string | undefined {
  const { code, cause: beneath } = (cause ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return beneath === undefined ? undefined : codeOf(beneath);
}

function assertUrl(url: unknown): void {
  if (typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url)) return;
  throw new EngraphError(`'url' must be an address such as http://127.0.0.1:8001, but is ${JSON.stringify(url)}`, {
    field: 'url',
  });
}

function headersOf({ token, adminToken }: SenderOptions, hasBody: boolean): Record<string, string> {
  return {
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(adminToken !== undefined && { 'x-admin-token': adminToken }),
  };
}

/** The service refused a request or did not answer, or the client refused to send the request. */
export class EngraphError extends Error {
  /** The HTTP status. Undefined when nothing was sent, no answer came, or a 2xx answer could not be read. */
  readonly status: number | undefined;
  /** Name of the refused input field. */
  readonly field: string | undefined;
  /** Advice on how to fix the problem. */
  readonly details: string | undefined;

  constructor(message: string, { status, field, details, cause }: ErrorFacts = {}) {
    super(message, { cause });
    this.name = 'EngraphError';
    this.status = status;
    this.field = field;
    this.details = details;
  }
}

interface ErrorFacts {
  status?: number | undefined;
  field?: string | undefined;
  details?: string | undefined;
  cause?: unknown;
}

interface Deadline {
  /** Aborted when the time has expired. */
  signal: AbortSignal;
  /** Settles like the work, or rejects when the time has expired. */
  bound<Value>(work: Value | Promise<Value>): Promise<Value>;
  /** Resolves to true after the delay, or to false when the time expires first. */
  pause(delayMs: number): Promise<boolean>;
  /** Stops the timer. Always call it, because a running timer keeps the process alive. */
  clear(): void;
}

/** Maximum delay of a timer. Node fires a timer with a longer delay at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const expiry = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  // Without this handler, an expiry that nothing waits for would be an unhandled rejection.
  expiry.catch(() => {});
  const expire = () => controller.abort(new Error(`The call took longer than ${timeoutMs} ms`));
  const timer = setTimeout(expire, Math.min(timeoutMs, TIMER_MAX_MS));
  const bound = <Value>(work: Value | Promise<Value>): Promise<Value> => Promise.race([work, expiry]);
  return { signal, bound, pause: delayMs => pause(delayMs, bound), clear: () => clearTimeout(timer) };
}

async function pause(delayMs: number, bound: Deadline['bound']): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = new Promise<true>(resolve => {
    timer = setTimeout(resolve, delayMs, true);
  });
  try {
    return await bound(wait);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Every item of a list becomes a separate parameter with the name of the list. If a parameter occurs only once, the
 * service splits it at its commas, and reads it as a list if it looks like JSON. To prevent this, a blank item follows
 * such a single item. The service ignores the blank item.
 *
 * @returns an empty text when no parameter has a value
 */
export function queryString(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of itemsOf(name, value)) {
      if (item !== undefined && item !== null) search.append(name, String(item));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function itemsOf(name: string, value: unknown): unknown[] {
  // The numbers of an embedding are sent as one comma-separated text.
  if (!Array.isArray(value) || name === 'embedding') return [value];
  return value.length === 1 && /,|^\s*[[{]/.test(String(value[0])) ? [...value, ''] : value;
}
