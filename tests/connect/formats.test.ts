/** Entries in JSON and TOML are inserted, inserted again, and removed. Texts that cannot be edited are refused. */
import { describe, expect, test } from 'vitest';
import { jsonFormat } from '../../src/connect/json-format.js';
import { tomlFormat } from '../../src/connect/toml-format.js';

const VALUE = { command: '/usr/bin/node', args: ['engraph.js'] };
const JSON_PIECE = { path: ['mcpServers', 'engraph'], value: VALUE };
const TOML_PIECE = { path: ['mcp_servers', 'engraph'], value: VALUE };

const lines = (...all: string[]) => `${all.join('\n')}\n`;

describe('JSON with comments', () => {
  const texts: Record<string, string> = {
    nothing: '',
    'an empty object': '{}\n',
    'comments and a foreign server': lines(
      '// my settings',
      '{',
      '  "theme": "dark", // at night',
      '  "mcpServers": {',
      '    /* the files */',
      '    "files": { "command": "npx" } // keep',
      '    // the end',
      '  }',
      '}',
    ),
    'trailing commas and tabs': lines('{', '\t"mcpServers": {', '\t\t"a": {},', '\t},', '}'),
    'four blanks and no servers': lines('{', '    "a": [', '        1', '    ]', '}'),
    'one line': '{"a":1,"mcpServers":{"b":{}}}',
    'one line with blanks': '{ "a": 1 }',
    'an empty container': lines('{', '  "mcpServers": {}', '}'),
    'only a comment': '// later',
    'a container with a comment': lines('{', '  "mcpServers": {', '    // none yet', '  }', '}'),
  };

  test.each(Object.entries(texts))('inserts an entry once and removes it again: %s', (_, text) => {
    const edited = jsonFormat.set(text, JSON_PIECE);
    expect(edited).toMatchSnapshot();
    expect(jsonFormat.set(edited, JSON_PIECE)).toBe(edited);
    const isBlank = !text.includes('{');
    expect(jsonFormat.takeOut(edited, JSON_PIECE.path, text)).toBe(isBlank ? `${text && `${text}\n`}{}\n` : text);
  });

  test('keeps the line ends of Windows', () => {
    const text = '{\r\n  "a": 1\r\n}\r\n';
    const edited = jsonFormat.set(text, JSON_PIECE);
    expect(edited).not.toMatch(/(?<!\r)\n/);
    expect(jsonFormat.takeOut(edited, JSON_PIECE.path, text)).toBe(text);
  });

  test('keeps later additions and their comments when the entry is removed', () => {
    const text = lines('{', '  "mcpServers": {', '    "a": {}', '  }', '}');
    const edited = jsonFormat
      .set(text, JSON_PIECE)
      .replace(/\n {4}\}\n {2}\}/, '\n    }, // theirs\n    "c": {} // too\n  }');
    expect(jsonFormat.takeOut(edited, JSON_PIECE.path, text)).toMatchSnapshot();
  });

  test('restores the text of a replaced entry', () => {
    const text = lines('{', '  "mcpServers": {', '    "engraph": { "command": "old" /* mine */ }', '  }', '}');
    const edited = jsonFormat.set(text, JSON_PIECE);
    expect(edited).toContain('/usr/bin/node');
    expect(jsonFormat.takeOut(edited, JSON_PIECE.path, text)).toBe(text);
  });

  test('keeps a container on removal if it existed before or has other content', () => {
    const container = lines('{', '  "mcpServers": {}', '}');
    expect(jsonFormat.takeOut(jsonFormat.set(container, JSON_PIECE), JSON_PIECE.path, container)).toBe(container);
    const shared = jsonFormat.set(jsonFormat.set('{}', JSON_PIECE), { path: ['mcpServers', 'b'], value: {} });
    expect(jsonFormat.parse(jsonFormat.takeOut(shared, JSON_PIECE.path, '{}'))).toEqual({ mcpServers: { b: {} } });
  });

  test.each([
    ['a missing comma', lines('{', '  "a": 1', '  "b": 2', '}'), 'line 3, column 3: comma expected'],
    ['an open brace', '{ "a": {', 'line 1, column 9: close brace expected'],
    ['text that is not JSON', 'hello', 'line 1, column 1: invalid symbol'],
    ['a list', '[1]', 'should contain a JSON object, but contains a value of type array'],
    ['servers in a list', lines('{', '  "mcpServers": []', '}'), "'mcpServers' at line 2 should be an object"],
    ['a key twice', lines('{', ' "mcpServers": {},', ' "mcpServers": {}', '}'), 'twice in one object, again at line 3'],
  ])('refuses %s', (_, text, reason) => {
    expect(() => jsonFormat.set(text, JSON_PIECE)).toThrow(reason);
  });
});

describe('TOML', () => {
  const texts: Record<string, string> = {
    nothing: '',
    'a pair without a line end': 'model = "x"',
    'comments and foreign servers': lines(
      '# mine',
      'model = "x" # best',
      '',
      '[mcp_servers.files] # the files',
      'command = "npx"',
      'args = [',
      '  "[mcp_servers.engraph]", # no table',
      ']',
      '',
      '[[points]]',
      'when = 1979-05-27T07:32:00Z',
      'text = """',
      '[mcp_servers.engraph]',
      '"""',
      'quoted = """he said "[hi""""',
      '# the end',
    ),
    'dotted keys': lines('mcp_servers.files.command = "npx"'),
  };

  test.each(Object.entries(texts))('inserts an entry once and removes it again: %s', (_, text) => {
    const edited = tomlFormat.set(text, TOML_PIECE);
    expect(edited).toMatchSnapshot();
    expect(tomlFormat.set(edited, TOML_PIECE)).toBe(edited);
    const taken = tomlFormat.takeOut(edited, TOML_PIECE.path, text);
    expect(taken.trimEnd()).toBe(text.trimEnd());
  });

  test('removes our tables from the middle, and keeps the comments of other tables', () => {
    const value = { ...VALUE, env: { A: '1' } };
    const edited = `${tomlFormat.set('a = 1\n', { ...TOML_PIECE, value })}# about b\n\n[b]\nc = 1\n`;
    expect(tomlFormat.takeOut(edited, TOML_PIECE.path, 'a = 1\n')).toBe('a = 1\n\n# about b\n\n[b]\nc = 1\n');
  });

  test('replaces tables in their position, and restores them on removal', () => {
    const text = lines('[mcp_servers."engraph"]', 'command = "old" # mine', '', '[b]', 'c = 1');
    const edited = tomlFormat.set(text, TOML_PIECE);
    expect(edited).toMatchSnapshot();
    expect(tomlFormat.takeOut(edited, TOML_PIECE.path, text)).toBe(text);
  });

  test('keeps the line ends of Windows', () => {
    expect(tomlFormat.set('a = 1\r\n', TOML_PIECE)).not.toMatch(/(?<!\r)\n/);
  });

  test.each([
    ['an open table', 'a = 1\n[b\n', 'line 2, column'],
    ['a value twice', 'a = 1\na = 2\n', 'line 2, column'],
    ['servers in one line', '\nmcp_servers = { a = { command = "x" } }\n', "'mcp_servers' at line 2 in a form"],
    ['our server in dotted keys', 'mcp_servers.engraph.command = "x"\n', "'mcp_servers' at line 1 in a form"],
  ])('refuses %s', (_, text, reason) => {
    expect(() => tomlFormat.set(text, TOML_PIECE)).toThrow(reason);
  });
});
