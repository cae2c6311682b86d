/** Runs the examples of one page in a separate folder, with a separate data folder. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BINARY, ENVIRONMENT, spawnServe } from '../cli/spawned-engraph.js';
import type { FencedBlock } from '../support/documents.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The address and the tokens that the examples use to call the service. */
const SERVICE_URL = 'http://127.0.0.1:8001';
const TOKENS = { SERVICE_API_TOKEN: 's3cret', ADMIN_API_TOKEN: 'adm1n' };

/** Options that make bash stop at the first failing command and read no configuration file of the user. */
const BASH = ['--noprofile', '--norc', '-euo', 'pipefail', '-c'];

export interface PageRunner {
  /** @returns the output; @throws when the example fails */
  run(block: FencedBlock): Promise<string>;
}

/** Prepares the examples of a page. Starts the service if an example calls it. `onEnd` registers the cleanup. */
export async function openPage(blocks: readonly FencedBlock[], onEnd: (end: () => void) => void): Promise<PageRunner> {
  const folder = temporaryFolder();
  onEnd(folder.remove);
  const dataDir = join(folder.path, 'data');
  const work = join(folder.path, 'work');
  mkdirSync(work);
  writeCommand(join(folder.path, 'bin'));
  const speaks = blocks.some(
    ({ before, code, notRun }) => notRun === undefined && `${before}${code}`.includes(SERVICE_URL),
  );
  // An example without a token needs a service without one.
  const hasToken = blocks.some(
    ({ before, code, notRun }) => notRun === undefined && `${before}${code}`.includes(TOKENS.SERVICE_API_TOKEN),
  );
  const url = speaks ? (await spawnServe(dataDir, hasToken ? TOKENS : {})).url : SERVICE_URL;
  const env = {
    ...ENVIRONMENT,
    PATH: `${join(folder.path, 'bin')}:${ENVIRONMENT.PATH}`,
    HOME: work,
    PORT: '0',
    ENGRAPH_DATA_DIR: dataDir,
    ADMIN_API_TOKEN: TOKENS.ADMIN_API_TOKEN,
  };
  const start = (command: string, args: readonly string[], cwd: string) => startIn({ command, args, cwd, env });
  return {
    run: async block => {
      const code = `${block.before}${block.code}`.replaceAll(SERVICE_URL, url);
      if (block.language === 'sh') return start('bash', [...BASH, code], work);
      return runProgram(block, code, join(folder.path, `program-${block.line}`), start);
    },
  };
}

type Start = (command: string, args: readonly string[], cwd: string) => Promise<string>;

interface Call {
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** @throws an error that contains all output of the command */
function startIn({ command, args, cwd, env }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}

/** Writes the command `engraph` into a folder of the PATH. */
function writeCommand(folder: string): void {
  mkdirSync(folder);
  const command = join(folder, 'engraph');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`);
  chmodSync(command, 0o755);
}

/** Runs a program in a folder with the package installed. TypeScript is checked and compiled first. */
async function runProgram({ language }: FencedBlock, code: string, folder: string, start: Start): Promise<string> {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules', 'engraph'));
  symlinkSync(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, `program.${language}`), code);
  if (language === 'ts') {
    const flags = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', 'program.ts'];
    await start(join(ROOT, 'node_modules', '.bin', 'tsc'), flags, folder);
  }
  const printed = await start(process.execPath, ['program.js'], folder);
  rmSync(folder, { recursive: true });
  return printed;
}

/** Names of variables that a shell command, a configuration or a compose file assigns. */
export function assignedNames(code: string): string[] {
  return [...code.matchAll(/(?:^|[\s"'])([A-Z][A-Z0-9_]{2,})(?==|": ")/gm)].map(([, name = '']) => name);
}

/** Names of variables that `compose.yaml` reads from its environment. */
export function composeNames(): Set<string> {
  const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
  return new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
}
