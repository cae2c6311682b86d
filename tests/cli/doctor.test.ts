/** `engraph doctor` as a real process. */
import { describe, expect, it } from 'vitest';
import { spawnEngraph, spawnServe, temporaryFolder } from './spawned-engraph.js';

async function runDoctor(folder: string) {
  const { ended, output } = spawnEngraph(['doctor', '--data-dir', folder]);
  const { code } = await ended;
  return { code, ...output };
}

describe('engraph doctor', () => {
  it('says what works, and leaves nothing behind', async () => {
    const folder = await temporaryFolder();
    for (const _run of [1, 2]) {
      const { code, stdout } = await runDoctor(folder);
      expect(stdout).toContain('Everything works.');
      expect(stdout).not.toContain('FAILS');
      for (const check of ['open', 'stores', 'store', 'recall', 'vectors', 'delete']) {
        expect(stdout).toMatch(new RegExp(`works {2}${check} `));
      }
      expect(stdout).toContain('memories: 0');
      expect(code).toBe(0);
    }
  });

  it('says that the data folder is in use', async () => {
    const folder = await temporaryFolder();
    const { url } = await spawnServe(folder);
    const { code, stdout } = await runDoctor(folder);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAILS {2}open .*in use/);
    expect(stdout).toContain('Not everything works');
    expect((await fetch(`${url}/health`)).ok).toBe(true);
  });
});
