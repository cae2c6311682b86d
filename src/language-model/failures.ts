/** Says what is wrong with a language model, in words of Engraph. The words of its server are kept apart. */

/** Why there is no usable answer. */
export interface ModelFailure {
  /** A clause that follows the name of the model. */
  problem: string;
  /** Whether the model has answered, so that the text of the question may be the cause. */
  hasAnswered?: boolean;
}

export interface ModelProblem extends ModelFailure {
  /** The first line of the server's message. It may repeat the question, so only the operator may read it. */
  serverMessage?: string;
}

interface Variables {
  keyVariable: string;
  addressVariable: string;
}

export const CUT_OFF: ModelFailure = {
  problem: 'answered with more text than requested, which was cut off',
  hasAnswered: true,
};
export const NO_TEXT: ModelFailure = { problem: 'answered without a text', hasAnswered: true };

const MESSAGE_MAX_LENGTH = 200;
/** The statuses with which a server refuses the content of a request. */
const ABOUT_THE_QUESTION: ReadonlySet<number> = new Set([400, 413, 422]);

/** @param failure any error of an SDK, or a ModelFailure */
export function problemOf(failure: unknown, variables: Variables): ModelProblem {
  if (isModelFailure(failure)) return failure;
  const status = (failure as { status?: unknown } | undefined)?.status;
  const serverMessage = firstLineOf(failure);
  if (typeof status === 'number')
    return { problem: problemOfStatus(status, variables), serverMessage, hasAnswered: ABOUT_THE_QUESTION.has(status) };
  if (isUnreadable(failure)) {
    // The message of an error of JSON quotes the first characters of the answer, too few to recognise a secret in them.
    const quoted = failure instanceof SyntaxError ? {} : { serverMessage };
    return { problem: 'answered in another form than requested', ...quoted, hasAnswered: true };
  }
  return { problem: `cannot be reached (${networkCause(failure)}): check the network`, serverMessage };
}

function isModelFailure(failure: unknown): failure is ModelFailure {
  return typeof failure === 'object' && failure !== null && 'problem' in failure && !(failure instanceof Error);
}

function problemOfStatus(status: number, { keyVariable, addressVariable }: Variables): string {
  if (status === 401 || status === 403) return `refuses the key (${status}): check ${keyVariable}`;
  if (status === 402) return `has no credit left for this key (${status}): check the account`;
  if (status === 429) return `asks for fewer requests (${status}): check the limits of the account`;
  if (status >= 300 && status < 400)
    return `redirects to another address (${status}), and no redirect is followed: check ${addressVariable}`;
  if (status === 404)
    return `does not know the model or the address (${status}): check LLM_MODEL and ${addressVariable}`;
  return status >= 500 ? `cannot answer at the moment (${status})` : `refuses the request (${status})`;
}

/** Errors of JSON, of a schema, and of an answer without the expected fields. */
function isUnreadable(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  return failure instanceof SyntaxError || failure.name === 'ZodError' || isMissingField(failure);
}

/** `fetch` throws a TypeError too, but with a cause. */
function isMissingField(failure: Error): boolean {
  return failure instanceof TypeError && failure.cause === undefined;
}

/** The code of the innermost error with a code, such as ECONNREFUSED. */
function networkCause(failure: unknown): string {
  let code = 'no answer';
  for (let each = failure; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') code = each.code;
  }
  return code;
}

function firstLineOf(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : String(failure);
  return (message.split('\n')[0] ?? '').slice(0, MESSAGE_MAX_LENGTH);
}
