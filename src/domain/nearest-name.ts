/** Finds the name that somebody probably meant. */

/** A longer name is no misspelled name. */
const NAME_MAX_LENGTH = 64;
/** Maximum share of the characters of a name that may be wrong. */
const WRONG_MAX_SHARE = 1 / 3;

/** Returns the known name that is nearest to `name`: the one that it begins, or a similar one. Ignores case. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const asked = plain(name);
  if (asked === '' || name.length > NAME_MAX_LENGTH) return undefined;
  const begun = known.filter(each => plain(each).startsWith(asked)).sort((a, b) => a.length - b.length);
  const near = known
    .map(each => ({ each, distance: editDistance(asked, plain(each)) }))
    .filter(({ each, distance }) => distance <= Math.max(each.length, asked.length) * WRONG_MAX_SHARE)
    .sort((a, b) => a.distance - b.distance);
  const [closest] = near;
  return closest && closest.distance <= 1 ? closest.each : (begun[0] ?? closest?.each);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++) {
      const replaced = (row[at] ?? 0) + (to[at] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
