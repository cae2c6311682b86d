/** One request to the service, attempted again where that may help. */

export interface SenderOptions {
  /** Such as `http://127.0.0.1:8001`. */
  url: string;
  /** The API token. */
  token?: string;
  /** For the operations of operators. */
  adminToken?: string;
  /** For all attempts together; 25 seconds by default. */
  timeoutMs?: number;
  /** Pauses before further attempts: half a second, one and two by default. */
  retryDelaysMs?: readonly number[];
  /** Another `fetch`. */
  fetch?: (url: string, init: RequestInit) => Response | Promise<Response>;
}

export interface RequestParts {
  query?: object | undefined;
  body?: object;
  /** Statuses beyond 299 whose body is an answer. */
  accepted?: readonly number[];
  /** The answer when a further attempt finds that an earlier one has removed the thing. */
  ifGone?: object;
}

/** Resolves to the body, which has the type that the caller says it has. */
export type Send = <Answer>(method: string, path: string, parts?: RequestParts) => Promise<Answer>;

/** What the service has said, or that it could not be reached. */
export class EngraphError extends Error {
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** The input that was refused. */
  readonly field: string | undefined;
  /** What can be done about it. */
  readonly details: string | undefined;

  constructor(message: string, status?: number, { field, details, cause }: ErrorFacts = {}) {
    super(message, { cause });
    this.name = 'EngraphError';
    this.status = status;
    this.field = field;
    this.details = details;
  }
}

interface ErrorFacts {
  message?: string;
  field?: string;
  details?: string;
  cause?: unknown;
}

const TIMEOUT_MS = 25_000;
const RETRY_DELAYS_MS = [500, 1_000, 2_000];

export function createSender(options: SenderOptions): Send {
  const { url, timeoutMs = TIMEOUT_MS, retryDelaysMs = RETRY_DELAYS_MS, fetch: request = fetch } = options;
  const base = url.replace(/\/$/, '');

  return async <Answer>(method: string, path: string, parts: RequestParts = {}): Promise<Answer> => {
    const { query, body, accepted = [], ifGone } = parts;
    const target = `${base}${path}${searchOf(query)}`;
    const signal = AbortSignal.timeout(timeoutMs);
    const init: RequestInit = {
      method,
      signal,
      headers: headersOf(options, body !== undefined),
      ...(body && { body: JSON.stringify(body) }),
    };
    for (let attempt = 0; ; attempt++) {
      const outcome = await attemptOnce(() => request(target, init));
      const { status } = outcome;
      if (status !== undefined && (status < 300 || accepted.includes(status))) return outcome.body as Answer;
      if (attempt > 0 && status === 404 && ifGone) return ifGone as Answer;
      const delayMs = retryDelaysMs[attempt];
      const isHopeless = status !== undefined && status < 500;
      if (isHopeless || delayMs === undefined || signal.aborted) throw failureOf(outcome, base);
      await pause(delayMs);
    }
  };
}

interface Outcome {
  /** Undefined when there was no answer. */
  status?: number;
  body?: unknown;
  error?: unknown;
}

async function attemptOnce(request: () => Response | Promise<Response>): Promise<Outcome> {
  try {
    const response = await request();
    const text = await response.text();
    try {
      return { status: response.status, body: JSON.parse(text) };
    } catch (error) {
      // A proxy on the way may answer in its own words.
      return { status: Math.max(response.status, 500), body: { message: text.slice(0, 200) }, error };
    }
  } catch (error) {
    return { error };
  }
}

function failureOf({ status, body, error }: Outcome, url: string): EngraphError {
  if (status === undefined) return new EngraphError(`${url} cannot be reached`, undefined, { cause: error });
  const { message, ...facts } = (body ?? {}) as ErrorFacts;
  return new EngraphError(message ?? `The service answered ${status}`, status, facts);
}

function headersOf({ token, adminToken }: SenderOptions, hasBody: boolean): Record<string, string> {
  return {
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(adminToken !== undefined && { 'x-admin-token': adminToken }),
  };
}

/** A list stands as its items, each under the name of the parameter. */
function searchOf(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values: unknown[] = Array.isArray(value) && name !== 'embedding' ? value : [value];
    for (const item of values) if (item !== undefined && item !== null) search.append(name, String(item));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function pause(delayMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, delayMs));
}
