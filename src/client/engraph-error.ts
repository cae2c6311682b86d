/** The one error of the client. */

/** The service refused a request, no answer came from it, or the client refused to send the request. */
export class EngraphError extends Error {
  /** The HTTP status; undefined when no answer came or nothing was sent. */
  readonly status: number | undefined;
  /** The input that was refused. */
  readonly field: string | undefined;
  /** Advice on how to mend it. */
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
