/** The only printer. Everything goes to stderr: stdout belongs to the protocol. */

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
    process.stderr.write(`engraph ${name}: ${message}${details === undefined ? '' : ` ${render(details)}`}\n`);
  };
  return { debug: printer('debug'), info: printer('info'), warn: printer('warn'), error: printer('error') };
}

function render(details: unknown): string {
  if (details instanceof Error) return details.stack ?? details.message;
  return typeof details === 'string' ? details : JSON.stringify(details);
}
