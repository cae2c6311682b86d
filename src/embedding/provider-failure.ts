/**
 * The kinds of failure of a remote model, and whether the texts or the provider may be the cause. Converts failures to
 * errors for users, which name the provider, the model, the problem and the remedy.
 */
import { causeOf, MemoryError, messageOf } from '../domain/errors.js';

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

type FailureKind = keyof typeof KINDS;

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
  return new ProviderFailure('unreachable', `cannot be reached (${causeOf(error)})`);
}

function abortFailure({ reason }: AbortSignal): ProviderFailure {
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? new ProviderFailure('slow', 'did not answer in time')
    : new ProviderFailure('closed', 'did not answer before the memory was closed');
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

/** The names that messages use for a provider and its settings. */
export interface ProviderWords {
  name: string;
  model: string;
  keyVariable?: string;
  modelVariable: string;
  addressVariable: string;
  /** What the user can do if the provider does not know the model. */
  missingRemedy?: string;
}

const QUOTE_MAX_CHARACTERS = 200;

/**
 * Returns the error of a failed call.
 *
 * @param isAboutTexts true if the texts are the cause, because the provider can still embed other texts
 */
export function providerError(failure: ProviderFailure, words: ProviderWords, isAboutTexts = false): MemoryError {
  const problem = problemOf(failure, words);
  const message = isAboutTexts
    ? `${problem}, although it embeds other texts`
    : `${problem}: ${remedyOf(failure, words)}`;
  const code = isAboutTexts ? 'invalid' : 'unavailable';
  return new MemoryError(code, message + quote(failure), { cause: new PublicSummary(message) });
}

/** Returns the error for a provider setting that cannot work. Such a setting is found at startup. */
export function settingError(failure: ProviderFailure, words: ProviderWords): MemoryError {
  return new MemoryError('invalid', `${problemOf(failure, words)}: ${remedyOf(failure, words)}`);
}

/** Contains an error message without the server's own message. A server's message may repeat the request. */
class PublicSummary extends Error {}

/** The part of an embedding error that any user may read. */
export function publicSummary(error: unknown): string {
  if (!(error instanceof MemoryError)) return 'embedding fails: see the log';
  return messageOf(error.cause instanceof PublicSummary ? error.cause : error);
}

function problemOf({ problem }: ProviderFailure, words: ProviderWords): string {
  return `${words.name} (${words.model}) ${problem}`;
}

function quote({ serverMessage }: ProviderFailure): string {
  if (serverMessage === '') return '';
  const isLong = serverMessage.length > QUOTE_MAX_CHARACTERS;
  return `. The server says: "${isLong ? `${serverMessage.slice(0, QUOTE_MAX_CHARACTERS)}…` : serverMessage}"`;
}

function remedyOf({ kind, remedy }: ProviderFailure, words: ProviderWords): string {
  const { modelVariable, addressVariable, keyVariable = 'the key' } = words;
  const byKind: Record<FailureKind, string> = {
    unreachable: `check the network and ${addressVariable}; Engraph tries again`,
    broken: 'Engraph tries again',
    stumbled: 'Engraph tries again',
    limited: 'Engraph tries again; if the problem lasts, check the limits of the account',
    exhausted: `check the account that ${keyVariable} belongs to`,
    denied: `check ${keyVariable}`,
    missing: words.missingRemedy ?? `check ${modelVariable} and ${addressVariable}`,
    unfit: `choose another ${modelVariable}`,
    closed: 'Engraph tries again after the next start',
    slow: 'Engraph tries again; for a slow server raise EMBEDDING_TIMEOUT_SECONDS',
    refused: `check ${modelVariable}`,
    'too long': `check ${modelVariable}`,
    misread: `check that ${addressVariable} is the address of this provider's API`,
  };
  return remedy ?? byKind[kind];
}
