/** Prints one line of a command's result. */
import { withoutSecrets } from '../domain/secrets.js';
import { onOneLine } from '../domain/shown-text.js';

export function say(line: string): void {
  process.stdout.write(`${onOneLine(withoutSecrets(line))}\n`);
}
