/** Loads TypeScript modules of this project, such as those of the tests, into JavaScript scripts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** The exports of a TypeScript module, bundled with all its imports. */
export async function loadTypeScript(url) {
  const folder = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const file = join(folder, 'bundle.mjs');
  const bundle = await rolldown({ input: fileURLToPath(url), platform: 'node' });
  try {
    await bundle.write({ file, format: 'esm' });
    return await import(pathToFileURL(file).href);
  } finally {
    await bundle.close();
    rmSync(folder, { recursive: true });
  }
}
