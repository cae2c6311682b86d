/** Keeps changing which files a folder has, as other processes do while a test looks at the folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Adds a file and removes it again, without a pause until the test ends. Resolves when it has started. */
export async function keepChanging(folder: string): Promise<void> {
  const path = JSON.stringify(join(folder, 'passing'));
  const change = `fs.writeFileSync(${path}, ''); fs.rmSync(${path});`;
  const script = `const fs = require('node:fs'); console.log('started'); for (;;) { ${change} }`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await once(child.stdout, 'data');
}
