/** Splits stdin into lines. A line that is too long is skipped, and only its beginning and its end are kept. */

/** Maximum length of a line, in bytes. It is the limit of the SDK's own transport. */
export const LINE_MAX_BYTES = 10 * 1_048_576;
/** Number of bytes that are kept of each end of a skipped line. The id of a message is near one of the two ends. */
const KEPT_BYTES = 1_024;
const NEWLINE = 10;

export interface LineHandlers {
  /** @param line without its newline */
  onLine(line: Buffer): void;
  /** Called when the end of a line that was too long has been reached. */
  onSkipped(ends: { head: Buffer; tail: Buffer }): void;
}

export interface MessageLines {
  push(chunk: Buffer): void;
  /** Ends the last line, which may have no newline. */
  end(): void;
}

export function createMessageLines({ onLine, onSkipped }: LineHandlers): MessageLines {
  let parts: Buffer[] = [];
  let length = 0;
  let skipped: { head: Buffer; tail: Buffer } | undefined;

  const add = (part: Buffer) => {
    length += part.length;
    if (skipped) {
      skipped.tail = Buffer.concat([skipped.tail, part.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
      return;
    }
    parts.push(part);
    if (length <= LINE_MAX_BYTES) return;
    const whole = Buffer.concat(parts);
    // Copies, because a view would keep the whole line in memory.
    skipped = {
      head: Buffer.from(whole.subarray(0, KEPT_BYTES)),
      tail: Buffer.from(whole.subarray(-KEPT_BYTES)),
    };
    parts = [];
  };
  const finish = () => {
    const [ended, line] = [skipped, parts];
    parts = [];
    length = 0;
    skipped = undefined;
    if (ended) onSkipped(ended);
    else onLine(line.length === 1 && line[0] ? line[0] : Buffer.concat(line));
  };

  return {
    push: chunk => {
      let start = 0;
      for (;;) {
        const newline = chunk.indexOf(NEWLINE, start);
        if (newline < 0) break;
        add(chunk.subarray(start, newline));
        finish();
        start = newline + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    },
    end: () => {
      if (length > 0) finish();
    },
  };
}
