/** `engraph store` and `engraph recall` as real processes: alone, beside a service, and with pipes. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess } from './in-process.js';
import { spawnEngraph, spawnServe, temporaryFolder } from './spawned-engraph.js';

const UUID = '[0-9a-f]{8}-[0-9a-f-]{27}';
const TODAY = '\\d{4}-\\d\\d-\\d\\d';

/** Runs commands on one folder. `piped` is written to stdin. */
function commandsIn(folder: string, environment: Record<string, string> = {}) {
  return async (args: readonly string[], piped?: string | Buffer) => {
    if (piped === undefined && !args.includes('-')) return runInProcess([...args, '--data-dir', folder], environment);
    const { child, ended, output } = spawnEngraph([...args, '--data-dir', folder], environment);
    child.stdin.end(piped);
    const { code } = await ended;
    return { code, ...output };
  };
}

describe('engraph store and engraph recall', { timeout: 30_000 }, () => {
  it('keep what was typed and find it again, with its tags and type', async () => {
    const engraph = commandsIn(await temporaryFolder());
    const words = ['We', 'chose', 'PostgreSQL', 'for', 'the', 'shop'];
    const stored = await engraph(['store', ...words, '--tag', 'shop', '--tag', 'db', '--type', 'decision']);
    expect(stored).toMatchObject({ code: 0, stderr: '' });
    expect(stored.stdout).toMatch(new RegExp(`^Stored ${UUID} as Decision, with the tags shop, db\\.\\n$`));

    const recalled = await engraph(['recall', 'which', 'database', 'does', 'the', 'shop', 'use?']);
    expect(recalled.code).toBe(0);
    expect(recalled.stdout).toMatch(
      new RegExp(`^${TODAY}  Decision    We chose PostgreSQL for the shop  \\[shop, db\\]\\n$`),
    );
    const verbose = await engraph(['recall', 'PostgreSQL', '--verbose']);
    expect(verbose.stdout).toMatch(new RegExp(`\\n    \\(id ${UUID}, score \\d\\.\\d\\d, importance 0\\.5\\)\\n$`));
    const json = JSON.parse((await engraph(['recall', 'PostgreSQL', '--json'])).stdout);
    expect(json).toMatchObject({
      status: 'success',
      count: 1,
      results: [{ memory: { content: 'We chose PostgreSQL for the shop' } }],
    });

    const none = await engraph(['recall', 'PostgreSQL', '--tag', 'garden']);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toMatch(/^Nothing was found; none with tag garden; 1 without it\.\n$/);
    expect((await engraph(['recall', 'PostgreSQL', '--time', 'in May 2001'])).code).toBe(1);
    expect((await engraph(['recall'])).stdout).toContain('We chose PostgreSQL');
  });

  it('add the tag of the project in whose repository the person stores', async () => {
    const folder = await temporaryFolder();
    const repository = join(folder, 'shop');
    await mkdir(join(repository, '.git'), { recursive: true });
    await writeFile(join(repository, '.git', 'config'), '[remote "origin"]\n  url = git@example.com:acme/shop.git\n');
    const store = async (...args: string[]) => {
      const command = ['store', ...args, '--data-dir', join(folder, 'memory')];
      const { ended, output } = spawnEngraph(command, {}, undefined, repository);
      await ended;
      return output.stdout;
    };
    expect(await store('Deploys run on Tuesdays')).toContain('with the tag project:acme/shop.');
    expect(await store('Lunch is at noon', '--tag', 'food')).toContain('with the tags food, project:acme/shop.');
    expect(await store('Rent is due', '--tag', 'project:home')).toContain('with the tag project:home.');
  });

  it('say which memory the new one replaces or may replace', async () => {
    const engraph = commandsIn(await temporaryFolder());
    const first = JSON.parse((await engraph(['store', 'The shop runs on port 80', '--json'])).stdout);
    const second = await engraph(['store', 'The shop runs on port 81']);
    expect(second.stdout).toContain(`It may replace ${first.memory_id}: "The shop runs on port 80" (`);
    const third = await engraph(['store', 'The shop runs on port 82', '--supersedes', first.memory_id]);
    expect(third.stdout).toContain(`It replaces ${first.memory_id}.`);
    const { stdout } = await engraph(['recall', 'shop port', '--limit', '9']);
    expect(stdout).not.toContain('port 80\n');
    expect(stdout).toContain('port 82\n');
    const unknown = await engraph(['store', 'x', '--supersedes', '99999999-9999-4999-8999-999999999999']);
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toContain('99999999');
  });

  it('read texts of any language and of several lines from stdin', async () => {
    const engraph = commandsIn(await temporaryFolder());
    const text = '서버는 매일 밤 재시작된다.\nZweite Zeile: größer 📌\n';
    expect((await engraph(['store', '-'], text)).code).toBe(0);
    const { stdout } = await engraph(['recall', '서버']);
    expect(stdout).toMatch(/ {2}서버는 매일 밤 재시작된다\.\n {4}Zweite Zeile: größer 📌\n$/);
    const json = JSON.parse((await engraph(['recall', '서버', '--json'])).stdout);
    expect(json.results[0].memory.content).toBe(text.trimEnd());
  });

  it('show no control characters of a memory in the terminal', async () => {
    const engraph = commandsIn(await temporaryFolder());
    await engraph(['store', '-'], 'red \u001b[31m alert\u202e');
    expect((await engraph(['recall', 'alert'])).stdout).toContain('red \\u{1B}[31m alert\\u{202E}');
  });

  it.each([
    ['nothing', '', 'stdin is empty, so nothing was stored'],
    ['only blanks', ' \n\n', 'stdin is empty, so nothing was stored'],
    ['bytes that are no text', Buffer.from([0x67, 0xff, 0xfe]), 'stdin is not a text in UTF-8'],
    ['a text that is too long', 'word '.repeat(30_000), 'stdin has 149999 characters, and a memory may have 50000'],
    [
      'a credential',
      `the token is ${'ghp_'}${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`,
      'seems to contain a credential',
    ],
  ])('refuse %s on stdin, and store nothing', async (_, piped, complaint) => {
    const folder = await temporaryFolder();
    const engraph = commandsIn(folder);
    const { code, stdout, stderr } = await engraph(['store', '-'], piped);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(complaint);
    expect((await engraph(['recall'])).code).toBe(1);
  });

  it.each([
    [['--type', 'Idea'], "'type' must be one of Decision, Pattern"],
    [['--tag', 'x'.repeat(5_000)], "'tags'"],
    [['--supersedes', 'no id'], "'supersedes_memory_id'"],
  ])('name the field if %j is refused', async (options, complaint) => {
    const { code, stderr } = await commandsIn(await temporaryFolder())(['store', 'x', ...options]);
    expect(code).toBe(1);
    expect(stderr).toContain(complaint);
  });

  it('use the process that has the memory open, or the service at ENGRAPH_URL', async () => {
    const folder = await temporaryFolder();
    const { url } = await spawnServe(folder);
    await commandsIn(folder)(['store', 'The heron nests in the willow.']);
    expect(await (await fetch(`${url}/recall?query=heron`)).json()).toMatchObject({ count: 1 });
    const away = commandsIn(await temporaryFolder(), { ENGRAPH_URL: url });
    expect((await away(['store', 'The owl sleeps in the barn.'])).code).toBe(0);
    expect((await away(['recall', 'owl heron'])).stdout.trim().split('\n')).toHaveLength(2);
  });

  it('fail with a reason if no service answers, and recall then ends with 2', async () => {
    const engraph = commandsIn(await temporaryFolder(), { ENGRAPH_URL: 'http://127.0.0.1:9' });
    const stored = await engraph(['store', 'x']);
    expect([stored.code, stored.stdout]).toEqual([1, '']);
    const recalled = await engraph(['recall', 'x']);
    expect([recalled.code, recalled.stdout]).toEqual([2, '']);
    expect(recalled.stderr).toContain('127.0.0.1:9');
  });
});
