/** The entries that the doctor finds, and the entries whose command it may start. */
import { expect, test } from 'vitest';
import { findEntries } from '../../src/connect/entries.js';
import { LAUNCH, makeHome } from './home.js';

const ENTRY = JSON.stringify({ mcpServers: { engraph: { command: 'theirs' } } });

test("entries in the user's files are found, even if other programs wrote them", async () => {
  const home = await makeHome();
  await home.write('.cursor/mcp.json', ENTRY);
  await home.run('connect', 'codex');
  const found = await findEntries(home.here, await home.connections.all());
  expect(found.map(({ client, launch, isForeign }) => ({ client, launch, isForeign }))).toEqual([
    { client: 'cursor', launch: { command: 'theirs', args: [], env: {} }, isForeign: false },
    { client: 'codex', launch: LAUNCH, isForeign: false },
  ]);
});

test('an entry in a project is trusted only if engraph connect wrote it', async () => {
  const home = await makeHome();
  const states = async () =>
    (await findEntries(home.here, await home.connections.all())).map(({ file, isForeign }) => [file, isForeign]);
  await home.write('project/.mcp.json', ENTRY);
  await home.run('connect', 'cursor', { isForProject: true });
  const theirs = [home.path('project/.mcp.json'), true];
  expect(await states()).toEqual([theirs, [home.path('project/.cursor/mcp.json'), false]]);
  const written = await home.read('project/.cursor/mcp.json');
  await home.write('project/.cursor/mcp.json', written.replace('"args"', '"env": { "NODE_OPTIONS": "x" }, "args"'));
  expect(await states()).toEqual([theirs, [home.path('project/.cursor/mcp.json'), true]]);
});

test("a user's file is not mistaken for a project file if the command runs in the home folder", async () => {
  const home = await makeHome();
  await home.write('.cursor/mcp.json', ENTRY);
  const found = await findEntries({ ...home.here, cwd: home.folder }, []);
  expect(found.map(({ isForeign }) => isForeign)).toEqual([false]);
});

test('a disabled entry and a broken file that mentions engraph are reported', async () => {
  const home = await makeHome();
  await home.write('.config/opencode/opencode.json', '{"mcp":{"engraph":{"command":["x"],"enabled":false}}}');
  await home.write('.gemini/settings.json', '{"engraph"');
  await home.write('.cursor/mcp.json', '{');
  expect(await findEntries(home.here, [])).toMatchObject([
    { client: 'gemini', problem: expect.stringContaining('line 1') },
    { client: 'opencode', isSwitchedOff: true },
  ]);
});
