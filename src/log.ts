/** Writes the log to stderr, because stdout may carry the MCP protocol. */
import { messageOf } from './domain/errors.js';
import { isPlainObject } from './domain/json.js';
import { withoutSecrets } from './domain/secrets.js';
import { inBlock, onOneLine, visible, visibleJson } from './domain/shown-text.js';
import { currentRequestId } from './request-context.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The formats of the log. `json` prints one object per line, for programs that collect logs. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface Logger {
  debug(message: string, details?: unknown): void;
  info(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
  error(message: string, details?: unknown): void;
}

interface Entry {
  level: LogLevel;
  message: string;
  /** An error, a sentence, or an object with further fields. */
  details: unknown;
  requestId: string | undefined;
}

const WRITERS: Record<LogFormat, (entry: Entry) => string> = { text: textLine, json: jsonLine };
/** Maximum depth of causes that are logged. */
const CAUSES_MAX = 5;

export function createLogger(level: LogLevel, format: LogFormat = 'text'): Logger {
  const threshold = LOG_LEVELS.indexOf(level);
  const printer = (name: LogLevel) => (message: string, details?: unknown) => {
    if (LOG_LEVELS.indexOf(name) < threshold) return;
    const line = WRITERS[format]({ level: name, message, details, requestId: currentRequestId() });
    process.stderr.write(`${withoutSecrets(line)}\n`);
  };
  return { debug: printer('debug'), info: printer('info'), warn: printer('warn'), error: printer('error') };
}

function textLine({ level, message, details, requestId }: Entry): string {
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  const more = details === undefined ? '' : ` ${asText(details)}`;
  return `engraph ${level}: ${onOneLine(message)}${request}${more}`;
}

/** Formats details so that text from outside never begins a line of the log, where it could imitate an entry. */
function asText(details: unknown): string {
  if (details instanceof Error) return inBlock(details.stack ?? details.message, '  ');
  return typeof details === 'string' ? onOneLine(details) : visible(JSON.stringify(toJson(details)));
}

/** Formats an entry as JSON. The result is always one line, because JSON escapes line breaks. */
function jsonLine({ level, message, details, requestId }: Entry): string {
  const time = new Date().toISOString();
  const fixed = { time, level, message, ...(requestId !== undefined && { request_id: requestId }) };
  // The fixed fields are given twice: first for a readable order, and last so that no detail can override them.
  return JSON.stringify(visibleJson({ ...fixed, ...(details !== undefined && asFields(details)), ...fixed }));
}

function asFields(details: unknown): object {
  if (details instanceof Error) return { error: errorFields(details, CAUSES_MAX) };
  const json = toJson(details);
  return isPlainObject(json) ? json : { details: json };
}

/**
 * The fields of an error that are logged. Other fields are left out, because errors of clients may contain whole
 * requests with keys in their headers.
 */
function errorFields(error: Error, causesLeft: number): object {
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return {
    name,
    message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause instanceof Error && causesLeft > 0 && { cause: errorFields(cause, causesLeft - 1) }),
  };
}

/**
 * Converts any value, because any value can be thrown. If a value cannot be written as JSON, only its type is logged,
 * because logging must not fail.
 */
function toJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** Logs a problem only if its message differs from the last one, so that an outage does not flood the log. */
export function warnOnce(log: Logger, what: string): (error: unknown) => void {
  let last: string | undefined;
  return error => {
    const message = messageOf(error);
    if (message !== last) log.warn(`${what}: ${message}`);
    last = message;
  };
}
