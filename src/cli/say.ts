/** Prints one line of a command's result. */
import { onOneLine } from '../domain/visible-text.js';

export function say(line: string): void {
  process.stdout.write(`${onOneLine(line)}\n`);
}
