/** The manifest files for registries and assistants match their schemas and the code. */
import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AjvJsonSchemaValidator } from '../../src/packages/mcp-sdk.js';
import { connectClient, faultyEngine } from '../mcp/connected-client.js';
import { SETTINGS_READ } from '../support/documented-settings.js';
import { readText } from '../support/source-code.js';

const read = (path: string) => JSON.parse(readText(path));

const pkg = read('package.json') as {
  name: string;
  version: string;
  mcpName: string;
  files: string[];
  engines: { node: string };
};
const server = read('server.json') as ServerFile;
const manifest = read('manifest.json') as Manifest;

interface ServerFile {
  name: string;
  version: string;
  packages: { identifier: string; version: string; environmentVariables: { name: string; isSecret?: boolean }[] }[];
}

interface Manifest {
  name: string;
  version: string;
  server: { entry_point: string; mcp_config: { args: string[]; env: Record<string, string> } };
  user_config: Record<string, object>;
  tools: { name: string }[];
  compatibility: { runtimes: { node: string } };
}

/** The violations of a schema in this folder, or undefined if the value is valid. */
function problemOf(schema: string, value: unknown): string | undefined {
  return new AjvJsonSchemaValidator().getValidator(read(`tests/package/${schema}.schema.json`))(value).errorMessage;
}

describe('server.json', () => {
  test('follows the schema of the MCP registry', () => expect(problemOf('server', server)).toBeUndefined());
  test('has the version and the name of the package', () => {
    expect(server).toMatchObject({ name: pkg.mcpName, version: pkg.version });
    expect(server.packages).toMatchObject([{ identifier: pkg.name, version: pkg.version }]);
  });
  test('names existing settings, and marks secrets', () => {
    const named = server.packages.flatMap(({ environmentVariables }) => environmentVariables);
    expect(named.filter(({ name }) => !SETTINGS_READ.has(name))).toEqual([]);
    expect(named.filter(({ name, isSecret }) => /KEY|TOKEN|PASSWORD/.test(name) && !isSecret)).toEqual([]);
  });
  test('is invalid with a name or a property that the schema does not allow', () => {
    expect(problemOf('server', { ...server, name: 'engraph' })).toContain('name');
    expect(problemOf('server', { ...server, website_url: 'https://example.com' })).toContain('additional');
  });
});

describe('manifest.json', () => {
  test('follows the schema of MCPB', () => expect(problemOf('manifest', manifest)).toBeUndefined());
  test('has the name, the version and the Node version of the package', () => {
    expect(manifest).toMatchObject({ name: pkg.name, version: pkg.version });
    expect(manifest.compatibility.runtimes.node).toBe(pkg.engines.node);
  });
  test('starts a file that exists, and passes only settings that the server reads', () => {
    expect(existsSync(new URL(`../../${manifest.server.entry_point}`, import.meta.url))).toBe(true);
    expect(manifest.server.mcp_config.args).toEqual([`\${__dirname}/${manifest.server.entry_point}`]);
    const given = Object.entries(manifest.server.mcp_config.env);
    expect(given.filter(([name]) => !SETTINGS_READ.has(name))).toEqual([]);
    const asked = given.map(([, value]) => /^\$\{user_config\.(\w+)\}$/.exec(value)?.[1]);
    expect(asked).toEqual(Object.keys(manifest.user_config));
  });
  test('names the tools that the server offers', async () => {
    const { client, close } = await connectClient(faultyEngine({}));
    onTestFinished(close);
    const { tools } = await client.listTools();
    expect(manifest.tools.map(({ name }) => name).sort()).toEqual(tools.map(({ name }) => name).sort());
  });
  test('is invalid without an author', () => {
    expect(problemOf('manifest', { ...manifest, author: undefined })).toContain('author');
  });
});

describe('package.json', () => {
  test('includes the documents and no tests', () => {
    expect(pkg.files).toEqual(expect.arrayContaining(['bin', 'dist', 'docs', 'README.md', 'CHANGELOG.md', 'LICENSE']));
    expect(pkg.files.filter(name => name.startsWith('tests') || name.startsWith('src'))).toEqual([]);
  });
});
