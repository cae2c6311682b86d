/** The command line itself: help, version, and unknown arguments. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readArguments, UsageError } from '../../src/cli/arguments.js';
import { spawnEngraph, temporaryFolder } from './spawned-engraph.js';

async function runEngraph(args: readonly string[], environment?: Record<string, string>) {
  const { ended, output } = spawnEngraph(args, environment);
  const { code } = await ended;
  return { code, ...output };
}

describe('the command line', () => {
  it.each(['--help', '-h', 'help'])('with %s explains the commands and their options', async flag => {
    const { code, stdout, stderr } = await runEngraph([flag]);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    for (const word of [
      'connect',
      'serve',
      'view',
      'doctor',
      'status',
      'consolidate',
      'restore',
      'export',
      'import',
      '--apply',
      '--print',
      '--remove',
      '--project',
      '--force',
      '--yes',
      '--env',
      '--port',
      '--host',
      '--data-dir',
      '--help',
      '--version',
      'PORT',
      'HOST',
    ]) {
      expect(stdout).toContain(word);
    }
  });

  it.each(['--version', '-v', 'version'])('with %s prints the version of the package', async flag => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runEngraph([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    [['--bogus'], '--bogus'],
    [['remember'], "The command 'remember' does not exist"],
    [['serve', 'now'], 'now'],
    [['--port'], '--port'],
    [['consolidate', 'everything'], "'consolidate' takes one of decay, creative, cluster, forget, full"],
    [['consolidate', 'decay', 'forget'], "'consolidate' takes one of"],
    [['status', 'now'], "'status' takes no further argument, but got 'now'"],
    [['status', '--apply'], "--apply can be used only with 'engraph consolidate'"],
    [['--port', ''], '--port needs a value'],
    [['--data-dir='], '--data-dir needs a value'],
  ])('%j is a usage error', async (args, complaint) => {
    const { code, stdout, stderr } = await runEngraph(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(complaint);
    expect(stderr).toContain("Run 'engraph --help' for usage.");
  });

  it.each([
    [['--port', 'high'], {}, "--port must be a whole number of 0 to 65535, but is 'high'."],
    [['serve', '--port', '70000'], {}, '--port must be a whole number of 0 to 65535'],
    [['doctor'], { RECALL_MAX_LIMIT: 'many' }, 'RECALL_MAX_LIMIT must be'],
    [['serve', '--host', '0.0.0.0'], {}, 'SERVICE_API_TOKEN'],
    [['--host', '0.0.0.0'], {}, 'SERVICE_API_TOKEN'],
  ])('%j with %j is refused in one sentence', async (args, environment, complaint) => {
    const folder = await temporaryFolder();
    const { code, stdout, stderr } = await runEngraph([...args, '--data-dir', folder], environment);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(complaint);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('reads flags before and after the command', () => {
    expect(readArguments(['--port', '1', 'serve', '--data-dir', 'x'])).toEqual({
      command: 'serve',
      flags: { port: '1', 'data-dir': 'x' },
      options: {},
    });
    expect(readArguments(['migrate', '--from', 'embedded', '--to', 'servers'])).toEqual({
      command: 'migrate',
      flags: {},
      options: { from: 'embedded', to: 'servers' },
    });
    expect(() => readArguments(['serve', '--from', 'embedded'])).toThrow('--from');
    expect(readArguments([])).toEqual({ command: 'stdio', flags: {}, options: {} });
    expect(() => readArguments(['stdio'])).toThrow(UsageError);
  });
});
