/** The reason why a file was left unchanged, in one sentence for the user. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
}

/** The value at the path of one of our entries is not listed, or somebody has changed it since. */
export class ForeignEntry extends ConnectError {
  constructor(path: readonly string[]) {
    const key = path.join('.');
    super(`It has a '${key}' that is not in the list of what 'engraph connect' wrote, or that was changed since`);
  }
}

/** Line and column of an offset. Both numbers start at 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
