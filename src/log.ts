/** The only printer. Everything goes to stderr: stdout belongs to the protocol. */
import { inBlock, onOneLine, visible } from './domain/visible-text.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Logger {
  debug(message: string, details?: unknown): void;
  info(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
  error(message: string, details?: unknown): void;
}

export function createLogger(level: LogLevel): Logger {
  const threshold = LOG_LEVELS.indexOf(level);
  const printer = (name: LogLevel) => (message: string, details?: unknown) => {
    if (LOG_LEVELS.indexOf(name) < threshold) return;
    const more = details === undefined ? '' : ` ${render(details)}`;
    process.stderr.write(`engraph ${name}: ${onOneLine(message)}${more}\n`);
  };
  return { debug: printer('debug'), info: printer('info'), warn: printer('warn'), error: printer('error') };
}

/** Whatever an error quotes begins no line of the log. */
function render(details: unknown): string {
  if (details instanceof Error) return inBlock(details.stack ?? details.message, '  ');
  return typeof details === 'string' ? onOneLine(details) : visible(JSON.stringify(details));
}
