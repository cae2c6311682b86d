/** For every client, `--remove` restores each file byte for byte, with and without hooks, whatever was there before. */
import { describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/connect/clients.js';
import { hooksTargetOf, userFileOf } from '../../src/connect/targets.js';
import { LAUNCH, makeHome } from './home.js';

const JSON_TEXT = [
  '// my settings',
  '{',
  '\t"theme": "dark", /* at night */',
  '\t"hooks": {',
  '\t\t"Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ], // mine',
  '\t\t"sessionStart": [ { "command": "date" } ],',
  '\t},',
  '\t"mcpServers": {',
  '\t\t"files": { "command": "npx" } // keep',
  '\t}',
  '}',
  '',
].join('\n');
const TOML_TEXT = '# mine\nmodel = "x" # best\n\n[mcp_servers.files]\ncommand = "npx"\n\n# the end\n';
const YAML_TEXT = [
  '# mine',
  'GOOSE_MODEL: x   # best',
  'extensions:',
  '    # built in',
  '    developer: {enabled: true, type: builtin}',
  '    files:',
  '        cmd: "npx"   # keep',
  '        args: [ -y ]',
  '',
  '# the end',
  'GOOSE_MODE: auto',
  '',
].join('\n');
const MARKDOWN = '# Rules\n\n- Be short.';
const TEXTS: Readonly<Record<string, string>> = { json: JSON_TEXT, toml: TOML_TEXT, yaml: YAML_TEXT, md: MARKDOWN };

const VARIANTS: Readonly<Record<string, (text: string) => string | undefined>> = {
  'no file': () => undefined,
  'an empty file': () => '',
  'comments and tabs': text => text,
  'line ends of Windows and a byte order mark': text => `\uFEFF${text.replaceAll('\n', '\r\n')}`,
  'no line end at the end': text => text.trimEnd(),
};

function textFor(file: string): string {
  return TEXTS[file.split('.').at(-1) ?? ''] ?? JSON_TEXT;
}

describe.each(CLIENTS)('$name', client => {
  describe.each([false, true])('with hooks: %s', withHooks => {
    test.each(Object.entries(VARIANTS))('restores %s', async (_, variant) => {
      const home = await makeHome();
      const hooks = hooksTargetOf(client, home.here, { launch: LAUNCH });
      const files = [userFileOf(client, home.here), ...(withHooks && hooks ? [hooks.file] : [])];
      for (const file of new Set(files)) {
        const text = variant(textFor(file));
        // A plugin is a file of its own.
        if (text !== undefined && !file.endsWith('.js')) await home.write(file.slice(home.folder.length + 1), text);
      }
      const before = await home.snapshot();
      const outcomes = async (action: 'connect' | 'clear', launch = LAUNCH) =>
        new Set((await home[action](client.name, { withHooks, launch })).map(({ outcome }) => outcome));

      expect(await outcomes('connect')).toEqual(new Set(['connected']));
      const connected = await home.snapshot();
      expect(await outcomes('connect')).toEqual(new Set(['unchanged']));
      expect(await home.snapshot()).toEqual(connected);
      expect(await outcomes('connect', { ...LAUNCH, command: '/else where/node' })).toContain('updated');
      expect(await outcomes('clear')).toEqual(new Set(['removed']));
      expect(await home.snapshot()).toEqual(before);
    });
  });
});
