/** Our hooks and rules among those of other programs: inserting them again changes nothing, and removal is exact. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hooksFormat } from '../../src/connect/hooks-format.js';
import { hookPieces } from '../../src/connect/host-hooks.js';
import { planConnect, planRemoval } from '../../src/connect/plan.js';
import { RULES } from '../../src/connect/rules.js';
import { rulesFormat, rulesPiece } from '../../src/connect/rules-format.js';

const RUNS = { numRuns: 100, seed: 20261123 };
const OURS = hookPieces('engraph');

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
  ['hooks', SETTINGS, hooksFormat, OURS],
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
        expect(text).not.toMatch(/engraph|hook_event/);
      }),
      RUNS,
    );
  });
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the host fills these in
test('hooks of other programs for the same event stay unchanged and come before our hooks', () => {
  const before =
    '{\n  "hooks": {\n    // mine\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }\n    ]\n  }\n}\n';
  const text = OURS.reduce(hooksFormat.set, before);
  const { hooks } = JSON.parse(text.replace('// mine', '')) as { hooks: Record<string, { hooks: object[] }[]> };
  expect(text).toContain('// mine\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] },');
  expect(hooks.Stop?.map(({ hooks: [first] }) => first)).toEqual([
    { type: 'command', command: 'say done' },
    {
      type: 'mcp_tool',
      server: 'engraph',
      tool: 'hook_event',
      input: {
        event: 'stop',
        session_id: '${session_id}',
        cwd: '${cwd}',
        last_assistant_message: '${last_assistant_message}',
        stop_hook_active: '${stop_hook_active}',
      },
      timeout: 5,
    },
  ]);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the host fills these in

test.each([
  ['{"hooks": {"Stop": {}}}', /'hooks.Stop' should be a list/],
  ['{"hooks": [', /line 1, column/],
])('a file of hooks that contains %j is refused', (text, problem) => {
  expect(() => OURS.reduce(hooksFormat.set, text)).toThrow(problem);
});

test('a file of rules with only one of the two comments around our rules is refused', () => {
  const text = rulesFormat.set('', rulesPiece(RULES)).split('\n').slice(0, 3).join('\n');
  expect(() => rulesFormat.set(text, rulesPiece(RULES))).toThrow(/do not form one pair/);
});
