/** Our hooks and rules among those of other programs: inserting them again changes nothing, and removal is exact. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planConnect, planRemoval } from '../../src/connect/connect.js';
import { formatOf } from '../../src/connect/formats.js';
import { HOOK_HOSTS } from '../../src/connect/hook-hosts.js';
import { hookPieces } from '../../src/connect/host-hooks.js';
import type { Launch } from '../../src/connect/launch.js';
import { rulesFormat, rulesPiece } from '../../src/connect/rules-format.js';
import { RULES } from '../../src/connect/targets.js';
import { LAUNCH } from './home.js';

const RUNS = { numRuns: 100, seed: 20261123 };
const OURS = hookPieces(hostNamed('claude-code'), { launch: LAUNCH, platform: 'linux' });

function hostNamed(name: string) {
  const host = HOOK_HOSTS.find(each => each.name === name);
  if (host === undefined) throw new Error(`${name} has no hooks`);
  return host;
}

const GROUP = fc.record({
  matcher: fc.constantFrom('', 'Bash', 'Edit|Write'),
  hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() }), { minLength: 1, maxLength: 2 }),
});
const EVENTS = fc.dictionary(
  fc.constantFrom('UserPromptSubmit', 'Stop', 'PreToolUse', 'SessionStart'),
  fc.array(GROUP, { maxLength: 3 }),
);
const SETTINGS = fc
  .record(
    {
      settings: fc.record(
        { theme: fc.string(), hooks: EVENTS, env: fc.dictionary(fc.string(), fc.string()) },
        { requiredKeys: [] },
      ),
      indent: fc.constantFrom('  ', '    ', '\t'),
      lineEnd: fc.constantFrom('\n', '\r\n'),
      tail: fc.constantFrom('', '\n'),
      isCommented: fc.boolean(),
    },
    { requiredKeys: ['settings', 'indent', 'lineEnd', 'tail', 'isCommented'] },
  )
  .map(({ settings, indent, lineEnd, tail, isCommented }) => {
    const text = JSON.stringify(settings, null, indent);
    return ((isCommented ? text.replaceAll(/([,{])\n/g, '$1 // why\n') : text) + tail).replaceAll('\n', lineEnd);
  });
const MARKDOWN = fc
  .array(fc.constantFrom('# Rules', '', '- be short', 'é', '```js', 'x'), { maxLength: 6 })
  .chain(lines => fc.constantFrom('\n', '\r\n').map(lineEnd => lines.join(lineEnd)));

describe.each([
  ['hooks', SETTINGS, formatOf('hooks'), OURS],
  ['rules', MARKDOWN, rulesFormat, [rulesPiece(RULES)]],
] as const)('a file of %s', (name, texts, format, pieces) => {
  const connectionOf = (before: string) => ({
    client: 'c',
    file: 'f',
    isForProject: false,
    format: name,
    backup: 'b',
    folders: [],
    pieces,
    before,
  });

  test('that was connected is recognized, and removal restores every byte of the file', () => {
    fc.assert(
      fc.property(texts, before => {
        const first = planConnect(
          { format, text: before, connection: undefined, before: undefined, isForced: false },
          pieces,
        );
        expect(first.outcome).toBe('connected');
        const situation = { format, text: first.text, connection: connectionOf(before), before, isForced: false };
        expect(planConnect(situation, pieces)).toMatchObject({ outcome: 'unchanged', text: first.text });
        expect(planRemoval(situation, pieces)).toMatchObject({ outcome: 'removed', text: before });
      }),
      RUNS,
    );
  });

  test('that changed in the meantime keeps the change and loses our entries on removal', () => {
    fc.assert(
      fc.property(texts, before => {
        const connected = [...pieces].reduce<string>((text, piece) => format.set(text, piece), before);
        const changed =
          name === 'hooks' ? connected.replace('"hooks"', '"added": true, "hooks"') : `${connected}\n- and polite\n`;
        const situation = { format, text: changed, connection: connectionOf(before), before, isForced: false };
        const { text = '' } = planRemoval(situation, pieces);
        expect(text).toContain(name === 'hooks' ? '"added": true' : '- and polite');
        expect(text).not.toMatch(/engraph/);
      }),
      RUNS,
    );
  });
});

test('hooks of other programs for the same event stay unchanged and come before our hooks', () => {
  const before =
    '{\n  "hooks": {\n    // mine\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }\n    ]\n  }\n}\n';
  const text = OURS.reduce(formatOf('hooks').set, before);
  const { hooks } = JSON.parse(text.replace('// mine', '')) as { hooks: Record<string, { hooks: object[] }[]> };
  expect(text).toContain('// mine\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] },');
  expect(hooks.Stop?.map(({ hooks: [first] }) => first)).toEqual([
    { type: 'command', command: 'say done' },
    {
      type: 'command',
      command: '/usr/bin/node /opt/engraph/bin/engraph.js hook stop --host claude-code',
      timeout: 5,
    },
  ]);
});

test('our hook beside another one is removed with --force, although the list of connections is lost', () => {
  const theirs = { hooks: [{ type: 'command', command: 'say done' }] };
  const ours = OURS.find(({ path }) => path[1] === 'Stop')?.value;
  const text = JSON.stringify({ hooks: { Stop: [ours, theirs] } }, null, 2);
  const situation = { format: formatOf('hooks'), text, connection: undefined, before: undefined, isForced: true };
  const { text: left } = planRemoval(situation, OURS);
  expect(JSON.parse(left ?? '')).toEqual({ hooks: { Stop: [theirs] } });
});

describe('the command of a hook', () => {
  const start = (platform: NodeJS.Platform, launch: Partial<Launch> = {}) => ({
    platform,
    launch: { ...LAUNCH, ...launch },
  });
  const promptHook = (name: string, how: Parameters<typeof hookPieces>[1]) => {
    const event = hostNamed(name).events.prompt?.name;
    const group = hookPieces(hostNamed(name), how).find(({ path }) => path[1] === event)?.value;
    return (group as { hooks: object[] } | undefined)?.hooks[0];
  };

  test('has the program and the data folder of the server entry, but not its address', () => {
    const args = [...LAUNCH.args, '--data-dir', '/m n', '--host', '::1', '--port', '8001'];
    expect(promptHook('claude-code', start('win32', { args }))).toMatchObject({
      command: LAUNCH.command,
      args: [...LAUNCH.args, 'hook', 'prompt', '--host', 'claude-code', '--data-dir', '/m n'],
    });
    expect(promptHook('codex', start('linux', { args }))).toMatchObject({
      command: `${[LAUNCH.command, ...LAUNCH.args].join(' ')} hook prompt --host codex --data-dir '/m n'`,
    });
  });

  test('has no variable of the entry, because a token must not be on a command line', () => {
    const env = { ENGRAPH_TOKEN: 's3cret', ENGRAPH_URL: 'http://m' };
    for (const { name } of HOOK_HOSTS)
      expect(JSON.stringify(hookPieces(hostNamed(name), start('linux', { env })))).not.toMatch(/s3cret|http/);
  });

  test('is quoted for the shell of the host', () => {
    const launch = { command: 'C:\\Program Files\\node.exe', args: ["C:\\it's\\engraph.js"] };
    expect(promptHook('codex', start('win32', launch))).toMatchObject({
      command: '"C:\\Program Files\\node.exe" "C:\\it\'s\\engraph.js" hook prompt --host codex',
      timeout: 5,
    });
    expect(promptHook('gemini', start('win32', launch))).toMatchObject({
      command: "& 'C:\\Program Files\\node.exe' 'C:\\it''s\\engraph.js' hook prompt --host gemini",
      timeout: 5000,
    });
    const posix = { command: '/opt/my node', args: ["/it's/$HOME/engraph.js"] };
    expect(promptHook('gemini', start('darwin', posix))).toMatchObject({
      command: "'/opt/my node' '/it'\\''s/$HOME/engraph.js' hook prompt --host gemini",
    });
  });
});

test.each([
  ['{"hooks": {"Stop": {}}}', /'hooks.Stop' should be a list/],
  ['{"hooks": [', /line 1, column/],
])('a file of hooks that contains %j is refused', (text, problem) => {
  expect(() => OURS.reduce(formatOf('hooks').set, text)).toThrow(problem);
});

test('a file of rules with only one of the two comments around our rules is refused', () => {
  const text = rulesFormat.set('', rulesPiece(RULES)).split('\n').slice(0, 3).join('\n');
  expect(() => rulesFormat.set(text, rulesPiece(RULES))).toThrow(/do not form one pair/);
});
