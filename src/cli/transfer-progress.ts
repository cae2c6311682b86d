/** Reports the progress of an export or an import on stderr. */

/** Number of records between two lines of progress. */
const SAID_EVERY = 2_000;

/** Prints a line after every 2,000 records of one kind. Prints nothing for a kind with fewer records. */
export function createProgress(): (what: string, done: number, total?: number) => void {
  let said = new Map<string, number>();
  return (what, done, total) => {
    const step = Math.floor(done / SAID_EVERY);
    if (step === (said.get(what) ?? 0)) return;
    said = new Map([[what, step]]);
    process.stderr.write(`${what}: ${done}${total === undefined ? '' : ` of ${total}`}\n`);
  };
}
