/** In random files of the kinds that people keep, removing a connection restores every byte. */
import { stat } from 'node:fs/promises';
import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { jsonFormat } from '../../src/connect/json-format.js';
import { tomlFormat } from '../../src/connect/toml-format.js';
import { LAUNCH, makeHome } from './home.js';

const RUNS = { numRuns: 60, seed: 20261123 };
const KEYS = fc.constantFrom('a', 'mcpServers', 'servers', 'mcp', 'mcp_servers', 'x y', 'é', '"', 'theme');
const SERVERS = fc.dictionary(fc.constantFrom('files', 'web', 'engraph2', 'a.b'), fc.record({ command: fc.string() }));
const LEAF = fc.oneof(fc.string(), fc.integer({ min: -1000, max: 1000 }), fc.boolean(), SERVERS, fc.array(fc.string()));
const CONTAINERS = new Set(['mcpServers', 'mcp_servers', 'servers', 'mcp']);

/** Settings with keys in any order. The value of each key in `CONTAINERS` is an object of servers. */
const SETTINGS = fc
  .uniqueArray(fc.tuple(KEYS, LEAF, SERVERS), { selector: ([key]) => key, maxLength: 6 })
  .map(entries =>
    Object.fromEntries(entries.map(([key, leaf, servers]) => [key, CONTAINERS.has(key) ? servers : leaf])),
  );

const JSON_TEXT = fc
  .record({
    settings: SETTINGS,
    indent: fc.constantFrom('  ', '    ', '\t', ''),
    isCommented: fc.boolean(),
    hasTrailingCommas: fc.boolean(),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\uFEFF'),
    tail: fc.constantFrom('', '\n', '\n\n// the end\n'),
  })
  .map(({ settings, indent, isCommented, hasTrailingCommas, lineEnd, mark, tail }) => {
    let text = JSON.stringify(settings, null, indent);
    if (hasTrailingCommas && indent) text = text.replaceAll(/([^{[,\n])\n(\s*[}\]])/g, '$1,\n$2');
    if (isCommented && indent)
      text = text.replaceAll(/([,{])\n/g, '$1 // why\n').replaceAll(/\n(\s*\})/g, '\n/* so */\n$1');
    return mark + (text + tail).replaceAll('\n', lineEnd);
  });

const TOML_TEXT = fc
  .record({
    settings: SETTINGS,
    isCommented: fc.boolean(),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    tail: fc.constantFrom('', '\n', '\n\n# the end'),
  })
  .map(({ settings, isCommented, lineEnd, tail }) => {
    const text = stringify(settings).trimEnd();
    const commented = isCommented ? `# first\n${text.replaceAll(/^\[/gm, '# a table\n[')}` : text;
    return (commented + tail).replaceAll('\n', lineEnd);
  });

test.each([
  ['cursor', '.cursor/mcp.json', JSON_TEXT],
  ['opencode', '.config/opencode/opencode.json', JSON_TEXT],
  ['codex', '.codex/config.toml', TOML_TEXT],
] as const)('removing a connection of %s restores every byte', { timeout: 60_000 }, async (client, file, texts) => {
  const home = await makeHome();
  await fc.assert(
    fc.asyncProperty(texts, async text => {
      await home.write(file, text);
      const before = await home.snapshot();
      expect((await home.run('connect', client)).outcome).toBe('connected');
      const connected = await home.snapshot();
      expect((await home.run('connect', client)).outcome).toBe('unchanged');
      expect(await home.snapshot()).toEqual(connected);
      const moved = { launch: { ...LAUNCH, command: '/elsewhere/node' } };
      expect((await home.run('connect', client, moved)).outcome).toBe('updated');
      expect((await home.run('remove', client)).outcome).toBe('removed');
      expect(await home.snapshot()).toEqual(before);
    }),
    RUNS,
  );
  expect((await stat(home.path(file))).isFile()).toBe(true);
});

const THEIRS = { command: 'theirs' };

test.each([
  ['JSON', JSON_TEXT, jsonFormat, 'mcpServers'],
  ['TOML', TOML_TEXT, tomlFormat, 'mcp_servers'],
] as const)('%s that another program changed keeps the change when our entry is removed', (_, texts, format, key) => {
  const ours = { path: [key, 'engraph'], value: { command: 'x', args: ['y'] } };
  const theirs = { path: [key, 'theirs'], value: THEIRS };
  fc.assert(
    fc.property(texts, marked => {
      const text = marked.replace('\uFEFF', '');
      const taken = format.takeOut(format.set(format.set(text, ours), theirs), ours.path, text);
      expect(format.parse(taken)).toEqual(format.parse(format.set(text, theirs)));
      const comments = (all: string) => all.match(/\/\/ why|\/\* so \*\/|# a table|(?:#|\/\/) the end/g) ?? [];
      expect(comments(taken)).toEqual(comments(text));
    }),
    RUNS,
  );
});

test.each([
  ['JSON', JSON_TEXT.filter(text => !/"mcpServers": ?\{\}/.test(text)), jsonFormat, 'mcpServers'],
  ['TOML', TOML_TEXT.map(text => text.replace(/(?<!\n)$/, '\n')), tomlFormat, 'mcp_servers'],
] as const)('%s loses only our entry if the former text is unknown', (_, texts, format, key) => {
  const ours = { path: [key, 'engraph'], value: { command: 'x', args: ['y'], env: { LOG_LEVEL: 'debug' } } };
  fc.assert(
    fc.property(texts, marked => {
      const text = marked.replace('\uFEFF', '');
      expect(format.takeOut(format.set(text, ours), ours.path, '')).toBe(text);
    }),
    RUNS,
  );
});
