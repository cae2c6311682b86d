/** Measures in which parts a recall spends its time. */
import { recall } from '../../../build/recall/recall.js';
import { timed } from './statistics.mjs';

const WARM_UP = 50;

/**
 * Reports the time of every method that a recall calls, and of the rest of the recall. Each has its own line.
 *
 * @param parts the parts of a recall; nothing else may use their stores meanwhile
 */
export async function tellShares(parts, recalls, onProgress) {
  const spentMs = new Map();
  const turn = { last: Promise.resolve() };
  const part = given => timedPart(given, spentMs, turn);
  const timedParts = {
    ...parts,
    graph: part(parts.graph),
    vectors: part(parts.vectors),
    embedder: part(parts.embedder),
  };
  for (const query of recalls.slice(0, WARM_UP)) await recall(timedParts, query);
  spentMs.clear();
  const totalMs = await timed(async () => {
    for (const query of recalls) await recall(timedParts, query);
  });
  const known = [...spentMs.values()].reduce((sum, ms) => sum + ms, 0);
  const rows = [...spentMs, ['text analysis, scores and order', totalMs - known]].sort((a, b) => b[1] - a[1]);
  for (const [name, ms] of rows) {
    onProgress(`${name}: ${(ms / recalls.length).toFixed(2)} ms, ${((ms / totalMs) * 100).toFixed(0)} % of a recall`);
  }
}

/**
 * Measures the time spent in every method of a part. A real recall searches words and vectors at once. Here all calls
 * run one after the other, so that their times add up. The rest of the time is spent in Engraph's own code: text
 * analysis, scores and order.
 */
function timedPart(part, spentMs, turn) {
  return new Proxy(part, {
    get: (target, name) => {
      const member = target[name];
      if (typeof member !== 'function') return member;
      return (...given) => {
        const result = turn.last.then(async () => {
          const startedMs = performance.now();
          const value = await member.apply(target, given);
          spentMs.set(name, (spentMs.get(name) ?? 0) + performance.now() - startedMs);
          return value;
        });
        turn.last = result.catch(() => undefined);
        return result;
      };
    },
  });
}
