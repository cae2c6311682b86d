/** The rules that detect credentials come from a package. For every text the rules must take at most linear time. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { credentialsIn } from '../../src/credentials.js';
import { hostileTexts, textOf } from '../support/hostile-texts.js';

const LITERAL =
  /\/(?<source>(?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/(?<flags>[a-z]*)/g;
/** Maximum size of a file that is read as rules. A larger file also contains code that the rules import. */
const RULES_MAX_BYTES = 400_000;

/**
 * Returns every text between slashes in the rule files that parses as a regular expression. A few of them are other
 * code, which does not affect the test.
 */
function patterns(): RegExp[] {
  const folder = dirname(fileURLToPath(import.meta.resolve('@secretlint/secretlint-rule-preset-recommend')));
  const codes = readdirSync(folder)
    .filter(name => name.endsWith('.js'))
    .map(name => readFileSync(join(folder, name), 'utf8'))
    .filter(code => code.length <= RULES_MAX_BYTES);
  return codes
    .flatMap(code => [...code.matchAll(LITERAL)])
    .flatMap(({ groups }) => {
      try {
        return [new RegExp(groups?.source ?? '', groups?.flags)];
      } catch {
        return [];
      }
    });
}

const LENGTH = 2_500;
const GROWTH = 4;
const SUSPICIOUS_MS = 20;
/** For a text 4 times as long, a linear rule takes 4 times as long and a quadratic rule 16 times. */
const LINEAR_GROWTH_MAX = 10;

/** Takes the best of several runs, in processor time, because the machine may be busy. */
async function bestMs(text: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const started = process.cpuUsage();
    await credentialsIn(text);
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1_000);
    if (best < SUSPICIOUS_MS) break;
  }
  return best;
}

test('credential detection takes linear time for texts hostile to its patterns', { timeout: 60_000 }, async () => {
  const found = patterns();
  expect(found.length).toBeGreaterThan(100);
  const slow: string[] = [];
  for (const pattern of found) {
    for (const hostile of hostileTexts(pattern)) {
      const longMs = await bestMs(textOf(hostile, LENGTH * GROWTH));
      if (longMs < SUSPICIOUS_MS) continue;
      const shortMs = await bestMs(textOf(hostile, LENGTH));
      if (longMs > LINEAR_GROWTH_MAX * shortMs) slow.push(`${pattern} on ${JSON.stringify(hostile)}`);
    }
  }
  expect(slow).toEqual([]);
});
