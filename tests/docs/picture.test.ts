/** The picture of the README shows the current answers of the binary. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readText } from '../support/source-code.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SCRIPT = fileURLToPath(new URL('draw-session.mjs', import.meta.url));

/** Replaces ids, times and dates, which differ from drawing to drawing. */
function lasting(picture: string): string {
  return picture
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
    .replace(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, 'time');
}

/** Allows for three starts of the binary on a busy machine. */
const TIMEOUT_MS = 60_000;

test('docs/session.svg equals a new drawing except for ids and times (if not, run npm run build:picture)', {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const out = join(folder.path, 'session.svg');
  await promisify(execFile)(process.execPath, [SCRIPT, '--out', out]);
  expect(lasting(readFileSync(out, 'utf8'))).toBe(lasting(readText('docs/session.svg')));
});
