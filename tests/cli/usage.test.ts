/** The command line itself: help, version, and unknown arguments. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../src/cli/arguments.js';
import { COMMANDS } from '../../src/cli/command-table.js';
import { readArguments } from '../../src/cli/read-arguments.js';
import { spawnEngraph, temporaryFolder } from './spawned-engraph.js';

async function runEngraph(args: readonly string[], environment?: Record<string, string>) {
  const { ended, output } = spawnEngraph(args, environment);
  const { code } = await ended;
  return { code, ...output };
}

describe('the command line', () => {
  it.each(['--help', '-h', 'help'])('with %s lists the commands and the options of all of them', async flag => {
    const { code, stdout, stderr } = await runEngraph([flag]);
    expect([code, stderr]).toEqual([0, '']);
    for (const name of Object.keys(COMMANDS)) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    for (const option of ['--port', '--host', '--data-dir', '--help', '--version', 'PORT', 'HOST', 'engraph COMMAND'])
      expect(stdout).toContain(option);
    // Everything fits on a screen.
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(45);
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(110);
  });

  it.each(Object.entries(COMMANDS))(
    '%s --help explains the command, with examples that can be read',
    async (name, row) => {
      const asked = [
        [name, '--help'],
        ['help', name],
        ['--port', '1', name, '-h'],
      ];
      const [first, ...others] = await Promise.all(asked.map(readArguments));
      const { text } = first as { text: string };
      for (const other of others) expect(other).toEqual({ show: 'help', text });
      for (const [flags] of row.options ?? []) expect(text).toContain(flags.replace('...', ''));
      const examples = row.examples.map(([line]) => line);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect(text).toContain(`\n  ${example}\n`);
        const words = /\bengraph ([^|]*)/.exec(example)?.[1] ?? '';
        const argv = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
        // `bin/engraph.js` itself reads the events of hooks.
        if (words.startsWith('hook prompt')) await expect(readArguments(argv)).rejects.toThrow(UsageError);
        else expect(await readArguments(argv)).toMatchObject({ command: name });
      }
    },
  );

  it.each(['--version', '-v', 'version'])('with %s prints the version of the package', async flag => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runEngraph([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    [['--bogus'], "The option '--bogus' is unknown. Run 'engraph --help' for usage."],
    [['--prot', '1'], "The option '--prot' is unknown; did you mean '--port'? Run 'engraph --help' for usage."],
    [['recall', '--limti', '3', 'x'], "'--limti' is unknown; did you mean '--limit'? Run 'engraph recall --help'"],
    [['remember'], "The command 'remember' does not exist. Run 'engraph --help' for usage."],
    [['stor', 'x'], "The command 'stor' does not exist; did you mean 'store'? Run 'engraph --help' for usage."],
    [['help', 'stor'], "The command 'stor' does not exist; did you mean 'store'?"],
    [['serve', 'now'], "'serve' takes no further argument, but got 'now'. Run 'engraph serve --help' for usage."],
    [['--port'], '--port needs a value'],
    [['serve', '--port'], "--port needs a value. Run 'engraph serve --help' for usage."],
    [['consolidate', 'everything'], "'consolidate' takes one of decay, creative, cluster, forget, full"],
    [['consolidate', 'decay', 'forget'], "'consolidate' takes one of"],
    [['status', 'now'], "'status' takes no further argument, but got 'now'"],
    [['status', '--apply'], "--apply can be used only with 'engraph consolidate'"],
    [['--apply'], "--apply can be used only with 'engraph consolidate'"],
    [['status', '--tag', 'x'], "--tag can be used only with 'engraph store' and 'engraph recall'"],
    [['--port', ''], '--port needs a value'],
    [['--data-dir='], '--data-dir needs a value'],
    [['serve', '--data-dir', '--port'], '--data-dir needs a value'],
    [['store'], "'store' needs <text>. Run 'engraph store --help' for usage."],
    [['store', 'x', '--importance', 'high'], "--importance must be a number from 0 to 1, but is 'high'"],
    [['recall', 'x', '--limit', '0'], "--limit must be a whole number of at least 1, but is '0'"],
  ])('%j is a usage error', async (args, complaint) => {
    const { code, stdout, stderr } = await runEngraph(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(complaint);
    expect(stderr).toMatch(/ Run 'engraph (?:[a-z]+ )?--help' for usage\.\n$/);
  });

  it.each([
    [['--port', 'high'], {}, "--port must be a whole number of 0 to 65535, but is 'high'."],
    [['serve', '--port', '70000'], {}, '--port must be a whole number of 0 to 65535'],
    [['doctor'], { RECALL_MAX_LIMIT: 'many' }, 'RECALL_MAX_LIMIT must be'],
    [['serve', '--host', '0.0.0.0'], {}, 'SERVICE_API_TOKEN'],
    [['--host', '0.0.0.0'], {}, 'SERVICE_API_TOKEN'],
    [['migrate', '--from', 'embedded:~/none', '--to', 'embedded'], { HOME: '/home/ann' }, 'the folder /home/ann/none.'],
  ])('%j with %j is refused in one sentence', async (args, environment, complaint) => {
    const folder = await temporaryFolder();
    const { code, stdout, stderr } = await runEngraph([...args, '--data-dir', folder], environment);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(complaint);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('reads flags before and after the command', async () => {
    expect(await readArguments(['--port', '1', 'serve', '--data-dir', 'x'])).toEqual({
      command: 'serve',
      flags: { port: '1', 'data-dir': 'x' },
      options: {},
    });
    expect(await readArguments(['--apply', '--data-dir=x', 'consolidate', 'decay', '--accept-loss'])).toEqual({
      command: 'consolidate',
      flags: { 'data-dir': 'x', 'accept-loss': true },
      options: { apply: true, names: ['decay'] },
    });
    expect(await readArguments(['migrate', '--from', 'embedded', '--to', 'servers'])).toEqual({
      command: 'migrate',
      flags: {},
      options: { from: 'embedded', to: 'servers' },
    });
    expect(await readArguments(['store', '--tag', 'a', 'one', '--tag', 'b', '--', '--two', '-'])).toEqual({
      command: 'store',
      flags: {},
      options: { tag: ['a', 'b'], names: ['one', '--two', '-'] },
    });
    expect(await readArguments(['serve', '--version'])).toEqual({ show: 'version' });
    await expect(readArguments(['serve', '--from', 'embedded'])).rejects.toThrow('--from');
    await expect(readArguments(['stdio'])).rejects.toThrow(UsageError);
  });

  it('without a command is read without commander, because assistants wait for the start', async () => {
    const loaded = vi.spyOn(Command.prototype, 'parse');
    expect(await readArguments([])).toEqual({ command: 'stdio', flags: {}, options: {} });
    const args = ['--port', '0', '--host=::1', '--data-dir', 'x', '--accept-loss'];
    expect(await readArguments(args)).toEqual({
      command: 'stdio',
      flags: { port: '0', host: '::1', 'data-dir': 'x', 'accept-loss': true },
      options: {},
    });
    expect(loaded).not.toHaveBeenCalled();
    await readArguments(['status']);
    expect(loaded).toHaveBeenCalledOnce();
    loaded.mockRestore();
  });
});
