/** The guards that keep a process alive and its stdout clean, tested in a separate process. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const MODULES = {
  guards: new URL('../../build/cli/process-guards.js', import.meta.url).href,
  log: new URL('../../build/log.js', import.meta.url).href,
};

function runModule(code: string) {
  const script = `
    const guards = await import(${JSON.stringify(MODULES.guards)});
    const { createLogger } = await import(${JSON.stringify(MODULES.log)});
    ${code}`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
}

describe('process guards', () => {
  it('log an unhandled rejection and keep the process running', () => {
    const { status, stdout, stderr } = runModule(`
      guards.logUnhandledRejections(createLogger('info'));
      void Promise.reject(new Error('nobody waited'));
      setImmediate(() => process.stdout.write('alive'));`);
    expect(stderr).toContain('engraph error: Unhandled rejection Error: nobody waited');
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'alive' });
  });

  it('redirect console output of libraries to stderr', () => {
    const { stdout, stderr } = runModule(`
      guards.keepConsoleOffStdout();
      console.log('from a library');`);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: 'from a library\n' });
  });

  it('flush all output before the process ends', () => {
    const { status, stdout } = runModule(`
      process.stdout.write('x'.repeat(1_000_000));
      await guards.exitWhenFlushed(3);`);
    expect({ status, length: stdout.length }).toEqual({ status: 3, length: 1_000_000 });
  });
});
