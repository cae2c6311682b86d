/** The only error class of the client. */

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
