/** Says on stderr how far an export or an import has come. */

/** Records between two lines. */
const SAID_EVERY = 2_000;

/** Says something whenever another 2,000 records are done, and nothing about short runs. */
export function createProgress(): (what: string, done: number, total?: number) => void {
  let said = new Map<string, number>();
  return (what, done, total) => {
    const step = Math.floor(done / SAID_EVERY);
    if (step === (said.get(what) ?? 0)) return;
    said = new Map([[what, step]]);
    process.stderr.write(`${what}: ${done}${total === undefined ? '' : ` of ${total}`}\n`);
  };
}
