/** The kinds of failure of a remote model, and whether the texts or the provider may be the cause. */

const KINDS = {
  unreachable: { isTransient: true },
  broken: { isTransient: true },
  limited: { isTransient: true },
  exhausted: {},
  denied: {},
  missing: {},
  unfit: {},
  closed: {},
  // The texts may cause this kind of failure and the kinds below. Only a request with a harmless text shows whether
  // the texts are the cause.
  stumbled: { isTransient: true, isAmbiguous: true },
  slow: { isAmbiguous: true },
  refused: { isAmbiguous: true },
  'too long': { isAmbiguous: true },
  misread: { isAmbiguous: true },
} satisfies Record<string, { isTransient?: true; isAmbiguous?: true }>;

export type FailureKind = keyof typeof KINDS;

export interface FailureContext {
  /** The server's message. It may repeat the request, so only the operator may read it. */
  serverMessage?: string;
  /** Value of the header `retry-after`: seconds, or a date. */
  retryAfter?: string | undefined;
  /** A remedy that is more specific than the remedy of the failure's kind. */
  remedy?: string;
}

/** One failed request. The failure names neither provider nor model: `providerError` adds these names. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly kind: FailureKind;
  /** Engraph's description of the problem, as a clause that follows the name of the provider. */
  readonly problem: string;
  readonly serverMessage: string;
  readonly retryAfter: string | undefined;
  readonly remedy: string | undefined;

  constructor(kind: FailureKind, problem: string, { serverMessage = '', retryAfter, remedy }: FailureContext = {}) {
    // The message is only the kind. Other words could mislead the OpenAI SDK, which searches messages for words such as
    // "timeout".
    super(kind);
    this.kind = kind;
    this.problem = problem;
    this.serverMessage = serverMessage;
    this.retryAfter = retryAfter;
    this.remedy = remedy;
  }

  /** Whether another attempt may succeed. */
  get isTransient(): boolean {
    return 'isTransient' in KINDS[this.kind];
  }

  /** Whether the cause may be either the texts or the provider. */
  get isAmbiguous(): boolean {
    return 'isAmbiguous' in KINDS[this.kind];
  }
}

const TOO_LONG =
  /context (?:length|window|size)|too (?:long|large)|too many (?:tokens|inputs|texts)|batch size|at most \d|maximum .{0,30}(?:tokens|length|size)|exceed.{0,40}(?:length|tokens|limit|size)|less than \d+ tokens|reduce .{0,20}(?:length|input|prompt)/i;
const OUT_OF_CREDIT = /insufficient_quota|insufficient (?:credit|balance)/i;

/** Interprets an answer with a status other than success. */
export function failureOfStatus(status: number, body: string, headers: Headers): ProviderFailure {
  const serverMessage = wordsOf(body);
  const context = { serverMessage, retryAfter: headers.get('retry-after') ?? undefined };
  // Leave out the context, because a server's message about a key may contain the key.
  if (status === 401 || status === 403) return new ProviderFailure('denied', `refuses the key (${status})`);
  if (status === 402 || (status === 429 && OUT_OF_CREDIT.test(body)))
    return new ProviderFailure('exhausted', `has no credit left for this key (${status})`, context);
  if (status >= 300 && status < 400)
    return new ProviderFailure('missing', `redirects to another address (${status}), and no redirect is followed`);
  if (status === 429) return new ProviderFailure('limited', 'asks for fewer requests (429)', context);
  if (status === 404 || status === 405 || status === 410 || status === 501)
    return new ProviderFailure('missing', `does not know the model or the address (${status})`, context);
  if (status === 413 || ((status < 429 || status === 500) && status !== 409 && TOO_LONG.test(serverMessage)))
    return new ProviderFailure('too long', `finds the text too long (${status})`, context);
  if (status === 500) return new ProviderFailure('stumbled', 'failed (500)', context);
  if (status > 500 || status === 408 || status === 409 || status === 425)
    return new ProviderFailure('broken', `cannot answer at the moment (${status})`, context);
  return new ProviderFailure('refused', `refuses the request (${status})`, context);
}

/** Converts an error of a request to a ProviderFailure. */
export function failureOf(error: unknown, signal: AbortSignal): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  // Look at the cause, because the OpenAI SDK wraps the errors of its `fetch`.
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof ProviderFailure) return cause;
  if (signal.aborted) return abortFailure(signal);
  if (error instanceof SyntaxError) return new ProviderFailure('misread', 'answered with something that is not JSON');
  return new ProviderFailure('unreachable', `cannot be reached (${networkCause(error)})`);
}

function abortFailure({ reason }: AbortSignal): ProviderFailure {
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? new ProviderFailure('slow', 'did not answer in time')
    : new ProviderFailure('closed', 'did not answer before the memory was closed');
}

/** Returns the error code, such as ECONNREFUSED, or the message of the innermost cause if no error has a code. */
function networkCause(error: unknown): string {
  let trouble = 'no answer';
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') return each.code;
    trouble = each.message;
  }
  return trouble;
}

/** Returns the message in the body of an error response. Servers put the message in different fields. */
function wordsOf(body: string): string {
  let words: unknown = body;
  try {
    words = JSON.parse(body);
  } catch {
    // The body is not JSON, for example an HTML page of a proxy.
  }
  for (const key of ['error', 'message', 'detail']) {
    if (typeof words === 'object' && words !== null && key in words) words = (words as Record<string, unknown>)[key];
  }
  return (typeof words === 'string' ? words : body).replace(/\s+/g, ' ').trim();
}
