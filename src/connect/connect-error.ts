/** A file or an entry that is left as it is. The message is one sentence for the person at the terminal. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
}

/** Line and column of a place in a text, both counted from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
