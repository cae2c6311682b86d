/** The written command depends on the location of the running script. */
import { expect, test } from 'vitest';
import { launchOf, type Running, runningNow } from '../../src/connect/launch.js';

const SCRIPT = '/usr/lib/node_modules/engraph/bin/engraph.js';

function launchFrom(running: Partial<Running>, paths: readonly string[] = []) {
  return launchOf({
    node: '/usr/bin/node',
    script: SCRIPT,
    platform: 'linux',
    exists: path => paths.includes(path),
    ...running,
  });
}

test('the command uses the absolute paths of Node and of the script', () => {
  expect(launchFrom({})).toEqual({ command: '/usr/bin/node', args: [SCRIPT] });
  expect(launchOf(runningNow()).args[0]).toMatch(/^\/.*\/bin\/engraph\.js$/);
});

test.each([
  '/home/ada/.npm/_npx/0123abcd/node_modules/engraph/bin/engraph.js',
  '/home/ada/.cache/pnpm/dlx/ab/cd/node_modules/engraph/bin/engraph.js',
  '/tmp/bunx-1000-engraph@latest/node_modules/engraph/bin/engraph.js',
])('the command starts npx if the script is in a cache: %s', script => {
  expect(launchFrom({ script })).toEqual({ command: 'npx', args: ['-y', 'engraph'] });
});

test('on Windows, the command starts npx through a shell if the script is in a cache', () => {
  const script = 'C:\\Users\\ada\\AppData\\Local\\npm-cache\\_npx\\01\\node_modules\\engraph\\bin\\engraph.js';
  expect(launchFrom({ script, platform: 'win32' })).toEqual({
    command: 'cmd',
    args: ['/c', 'npx', '-y', 'engraph'],
  });
});

test.each([
  ['/opt/homebrew/Cellar/node/24.1.0/bin/node', '/opt/homebrew/opt/node/bin/node'],
  ['/snap/node/9000/bin/node', '/snap/node/current/bin/node'],
])('the command uses a link that stays valid when %s is updated, if such a link exists', (node, link) => {
  expect(launchFrom({ node }, [link]).command).toBe(link);
  expect(launchFrom({ node }).command).toBe(node);
});

test('the command uses the stable link of pnpm if it exists', () => {
  const store = '/home/ada/.local/share/pnpm/global/5/.pnpm/engraph@0.1.0/node_modules/engraph/bin/engraph.js';
  const link = '/home/ada/.local/share/pnpm/global/5/node_modules/engraph/bin/engraph.js';
  expect(launchFrom({ script: store }, [link]).args).toEqual([link]);
  expect(launchFrom({ script: store }).args).toEqual([store]);
});
