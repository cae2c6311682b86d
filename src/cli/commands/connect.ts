/** `engraph connect`: configures assistants to start engraph, and removes that configuration again. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { CLIENTS, type ConnectedClient } from '../../connect/clients.js';
import { hasProgram, type UserSystem, userSystem } from '../../connect/config-file.js';
import { attemptEach, type ConnectResult, type Outcome } from '../../connect/connect.js';
import { openConnections, type WrittenEntryList } from '../../connect/connections.js';
import { ConnectError, ForeignEntry } from '../../connect/format.js';
import { formatOf } from '../../connect/formats.js';
import { pluginFiles } from '../../connect/host-hooks.js';
import { type Launch, launchOf, runningNow, SHARED_LAUNCH } from '../../connect/launch.js';
import { hasEntry, type RemovalRequest, targetsInProjects, targetsToClear } from '../../connect/removal.js';
import { type ConnectRequest, hooksTargetOf, installedClients, type Target, targetsOf } from '../../connect/targets.js';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { nearestName } from '../../domain/input.js';
import { defaultDataDir, fixedDataDir, folderAt } from '../../memory-place.js';
import { EXIT_USAGE, UsageError } from '../arguments.js';
import { type CommandParts, say } from '../command.js';

const OUTCOME_WIDTH = 9;
const NAME_WIDTH = 14;
/** Variables that a client needs to open the same memory. Without them, it would open another memory or none. */
const PASSED_ON = ['ENGRAPH_URL', 'ENGRAPH_TOKEN', 'ENGRAPH_DATA_DIR'];

/** Files of these formats hold only servers. */
const SERVER_FORMATS: ReadonlySet<string> = new Set(['json', 'toml', 'yaml']);

const HOOKS_IN_PROJECT =
  '--hooks and --plugin cannot be used with --project: everybody who clones the project would get the hooks';
const NOTHING_IN_PROJECT = 'The files of this project contain no entry of Engraph.';
const NOT_INSTALLED =
  "The file contains the command 'engraph', but this command is not on the PATH here. Install engraph as the README says.";
const FROM_CACHE =
  'engraph runs from the cache of a package runner, so the clients will start it with npx. ' +
  'To make them start faster, install engraph and connect again.';

/** @returns 0 if every file is as requested, 1 if a file was refused, 2 if no client is named and none can be chosen */
export async function runConnect(parts: CommandParts): Promise<number> {
  const { options, environment, config } = parts;
  if (options.project && (options.hooks || options.plugin !== undefined)) throw new UsageError(HOOKS_IN_PROJECT);
  if (options.plugin !== undefined) return writePlugins(options.plugin, readLaunch(parts), parts.version);
  const here = userSystem({ environment });
  const connections = openConnections(environment);
  const request = {
    launch: readLaunch(parts),
    isForProject: options.project === true,
    withHooks: options.hooks === true,
  };
  const named = (options.names ?? []).map(clientNamed);
  if (options.remove) return remove({ ...request, named }, here, parts, connections);
  const clients = named.length > 0 ? named : await chooseClients(here, parts);
  if (clients === undefined) return EXIT_USAGE;
  const withHooks = await clientsWithHooks(connections, here, request);
  const targets = clients.flatMap(client => targetsIn(client, here, { ...request, withHooks: withHooks(client) }));
  const exitCode = await carryOut(targets, parts, connections);
  if (!options.project && [request.launch.command, ...request.launch.args].includes('npx')) say(FROM_CACHE);
  if (options.project && !hasProgram(here, SHARED_LAUNCH.command)) say(NOT_INSTALLED);
  if (!options.print && request.launch.env.ENGRAPH_TOKEN !== undefined && clients.length > 0) {
    say('ENGRAPH_TOKEN was written to these files. Everyone who can read the files can read the token.');
  }
  if (!options.print && clients.length > 0 && config.remote === undefined) sayWhereTextsGo(config, request.launch);
  return exitCode;
}

/** Assistants pass on the keys of the shell that starts them, and the person may have set them for another purpose. */
function sayWhereTextsGo({ languageModel, embedding }: CommandParts['config'], { env }: Launch): void {
  const keys = [
    ...(languageModel.anthropic.apiKey === undefined ? [] : ['ANTHROPIC_API_KEY']),
    ...(embedding.openai.apiKey === undefined ? [] : ['OPENAI_API_KEY']),
    ...(embedding.voyage.apiKey === undefined ? [] : ['VOYAGE_API_KEY']),
  ];
  const isSettled = [env.LLM_PROVIDER, env.EMBEDDING_PROVIDER].every(provider => provider !== undefined);
  if (keys.length === 0 || isSettled) return;
  say(
    `${keys.join(' and ')} is set here. If an assistant passes it on, Engraph sends texts of memories to that provider. ` +
      'To prevent this, connect with --env LLM_PROVIDER=none --env EMBEDDING_PROVIDER=local.',
  );
}

async function remove(
  request: RemovalRequest,
  here: UserSystem,
  parts: CommandParts,
  connections: WrittenEntryList,
): Promise<number> {
  const targets = await targetsToClear(await connections.all(), here, request);
  const exitCode = await carryOut(targets, parts, connections);
  const isForAll = request.named.length === 0 && !request.isForProject;
  const left = isForAll ? await targetsInProjects(await connections.all()) : [];
  if (targets.length === 0 && left.length === 0) {
    say(request.isForProject ? NOTHING_IN_PROJECT : "Everything that 'engraph connect' wrote is already removed.");
  }
  for (const target of left) {
    const command = `engraph connect ${target.client.name} --project --remove`;
    sayLine('left', target, `${target.file} has an entry. To remove it, run '${command}' in its project`);
  }
  return exitCode;
}

/** Reads the command that the clients will start. A file of a project gets another command, which contains no path. */
function readLaunch({ flags, environment, options }: CommandParts): Launch {
  const { command, args } = launchOf(runningNow());
  const passed = options.project ? [] : PASSED_ON.filter(name => environment[name] && !isOverruled(name, flags));
  const env = Object.fromEntries([...passed, ...(options.env ?? [])].map(text => readVariable(text, environment)));
  const isPlaced = options.project || env.ENGRAPH_URL !== undefined || env.ENGRAPH_DATA_DIR !== undefined;
  const folder = flags['data-dir'] ?? (isPlaced ? undefined : folderOfShell(environment));
  return {
    command,
    args: [
      ...args,
      ...(folder === undefined ? [] : ['--data-dir', folderAt(folder)]),
      ...(flags.host === undefined ? [] : ['--host', flags.host]),
      ...(flags.port === undefined ? [] : ['--port', flags.port]),
    ],
    env,
  };
}

/**
 * The default data folder, if only a variable of this shell leads to it: clients pass on few variables, so the server and
 * the hooks would open another memory.
 */
function folderOfShell(environment: CommandParts['environment']): string | undefined {
  const folder = defaultDataDir(environment);
  return folder === fixedDataDir(environment) ? undefined : folder;
}

function isOverruled(name: string, flags: CommandParts['flags']): boolean {
  return name === 'ENGRAPH_DATA_DIR' && flags['data-dir'] !== undefined;
}

function readVariable(text: string, environment: CommandParts['environment']): [string, string] {
  const [, name = '', value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? [];
  if (name === '') throw new UsageError(`--env needs NAME or NAME=VALUE, but got '${text}'`);
  const given = value ?? environment[name];
  if (given === undefined) throw new UsageError(`--env ${name} needs a value: ${name} is not set here`);
  // Resolve a relative path, because clients start engraph in another folder.
  return [name, name === 'ENGRAPH_DATA_DIR' ? folderAt(given) : given];
}

function clientNamed(name: string): ConnectedClient {
  const client = CLIENTS.find(each => each.name === name);
  if (client !== undefined) return client;
  const names = CLIENTS.map(each => each.name);
  const nearest = nearestName(name.toLowerCase().replaceAll('_', '-'), names);
  const hint = nearest === undefined ? `Clients are ${names.join(', ')}` : `Did you mean '${nearest}'?`;
  throw new UsageError(`The client '${name}' is unknown. ${hint}`);
}

/**
 * Returns a function that tells whether a client gets hooks. A client that an earlier run connected with --hooks keeps
 * its hooks. If these hooks are not listed, they are looked up in the file of the client, unless it cannot be parsed: a
 * file that this run does not change must not stop it.
 */
async function clientsWithHooks(
  connections: WrittenEntryList,
  here: UserSystem,
  request: ConnectRequest,
): Promise<(client: ConnectedClient) => boolean> {
  if (request.withHooks || request.isForProject) return () => request.withHooks;
  const listed = (await connections.all()).filter(({ format }) => !SERVER_FORMATS.has(format));
  const names = new Set(listed.map(each => each.client));
  for (const client of CLIENTS) {
    const hooks = hooksTargetOf(client, here, request);
    if (hooks !== undefined && (await hasEntry(hooks))) names.add(client.name);
  }
  return ({ name }) => names.has(name);
}

function targetsIn(client: ConnectedClient, here: UserSystem, request: ConnectRequest): Target[] {
  const targets = targetsOf(client, here, request);
  if (request.withHooks && targets.every(({ holds }) => holds === 'server')) say(withoutHooks(client));
  if (targets.length > 0) return targets;
  throw new UsageError(`${client.title} does not read servers from projects, so --project cannot be used with it`);
}

function withoutHooks({ title, hooksOf = [] }: ConnectedClient): string {
  if (hooksOf.length === 0)
    return `Engraph writes neither hooks nor rules for ${title}, only the server: see docs/hooks.md.`;
  return `${title} runs the hooks of ${hooksOf.join(' and ')}: connect one of them with --hooks. Here only the server is written.`;
}

/** @returns undefined if no suitable client is installed, or if no terminal can show the question */
async function chooseClients(
  here: UserSystem,
  { options }: CommandParts,
): Promise<readonly ConnectedClient[] | undefined> {
  const installed = installedClients(here);
  const found = options.project ? installed.filter(({ projectFiles }) => projectFiles !== undefined) : installed;
  const names = found.map(({ name }) => name).join(' ');
  if (found.length === 0) {
    say('No client was found here. Repeat the command with the names of the clients that you will install:');
    for (const { name, title } of CLIENTS) say(`  ${name.padEnd(NAME_WIDTH)}  ${title}`);
    return undefined;
  }
  if (options.yes || options.print) return found;
  say(`Found: ${found.map(({ title, name }) => `${title} (${name})`).join(', ')}`);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    say(
      `Nothing was written. To connect them, repeat the command with --yes, or with the names of some of them: ${names}`,
    );
    return undefined;
  }
  if (await confirm(`Connect ${found.length === 1 ? 'it' : 'all of them'}? [Y/n] `)) return found;
  say(`Nothing was written. To connect only some of them, repeat the command with their names: ${names}`);
  return [];
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(?:y|yes)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

async function carryOut(
  targets: readonly Target[],
  { options }: CommandParts,
  connections: WrittenEntryList,
): Promise<number> {
  let exitCode = 0;
  for (const target of targets) {
    try {
      const result = await attemptEach(target, {
        action: options.remove ? 'remove' : 'connect',
        connections,
        isForced: options.force === true,
        isDry: options.print === true,
      });
      if (options.print) show(target, result);
      else sayLine(WORDS[result.outcome], target, describe(target, result));
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      sayLine('REFUSED', target, `${target.file} stays as it is. ${describeRefusal(error, target, options)}`);
      exitCode = 1;
    }
  }
  return exitCode;
}

function sayLine(outcome: string, { client, holds }: Target, text: string): void {
  say(`  ${outcome.padEnd(OUTCOME_WIDTH)}  ${client.name.padEnd(NAME_WIDTH)}  ${holds.padEnd(13)}  ${text}`);
}

const WORDS: Readonly<Record<Outcome, string>> = {
  connected: 'connected',
  updated: 'updated',
  unchanged: 'unchanged',
  removed: 'removed',
  absent: 'unchanged',
};

function describe({ client, holds }: Target, { outcome, file, backup }: ConnectResult): string {
  if (outcome === 'unchanged') return `${file} has the entry already`;
  if (outcome === 'absent') return `${file} contains no entry of Engraph`;
  if (outcome === 'removed') return file;
  const kept = backup === undefined ? '' : ` (copy of the former file: ${backup})`;
  const afterwards = (holds !== 'server' && client.afterHooks) || client.afterwards;
  return `${file}${kept}. In ${client.title}: ${afterwards}`;
}

function describeRefusal(error: ConnectError, target: Target, { remove }: CommandParts['options']): string {
  if (!(error instanceof ForeignEntry)) return error.message;
  if (!remove) return `${error.message}: --force replaces it`;
  const place = target.isForProject ? ' --project' : '';
  return `${error.message}. To remove it, run 'engraph connect ${target.client.name}${place} --remove --force'`;
}

const WOULD: Readonly<Record<Outcome, string>> = {
  connected: 'would get this',
  updated: 'would get this',
  unchanged: 'has this already',
  removed: 'would lose this',
  absent: 'does not have this',
};

/** Prints the entry as it would appear in an otherwise empty file. */
function show({ client, format: name }: Target, { outcome, file, pieces = [] }: ConnectResult): void {
  say(`${client.title}: ${file} ${WOULD[outcome]}:`);
  const format = formatOf(name);
  process.stdout.write(`\n${pieces.reduce(format.set, '')}\n`);
}

/**
 * Overwrites the files of an earlier run, and leaves other files in the folder unchanged.
 *
 * @returns the exit code
 * @throws MemoryError `invalid` if the folder cannot be written
 */
async function writePlugins(folder: string, launch: Launch, version: string): Promise<number> {
  const root = resolve(folder);
  try {
    for (const [path, content] of pluginFiles({ launch, version, platform: process.platform })) {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      say(`  written    ${file}`);
    }
  } catch (error) {
    throw new MemoryError('invalid', `The plugins cannot be written to ${root}: ${messageOf(error)}`);
  }
  say(`In Claude Code: /plugin marketplace add ${join(root, 'claude-code')}, then /plugin install engraph@engraph`);
  say(`In a shell for Codex: codex plugin marketplace add ${join(root, 'codex')} && codex plugin add engraph@engraph`);
  return 0;
}
