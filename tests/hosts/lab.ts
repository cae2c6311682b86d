/** A home of its own with a host, a repository and a memory, in which `engraph connect` has connected the host. */
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { HostProgram, HostRun } from './host-programs.js';
import { type Model, startModel } from './stand-ins/model.js';

export interface Lab {
  home: string;
  model: Model;
  /** How the host is started in the repository. */
  hostRun: HostRun;
  /** Clone of the project `ann/shop`, in a folder of another name. */
  repository: string;
  worktree: string;
  /** Runs the host and waits for its end. */
  ask: (args: readonly string[], folder?: string) => Promise<Ended>;
  /** Command lines of processes of this home that are still running. Waits for those that are just ending. */
  left: () => Promise<string[]>;
  close: () => Promise<void>;
}

export interface Ended {
  code: number | null;
  /** Everything that a person has read, in both streams, except the lines that the host always prints. */
  seen: string[];
}

export interface LabOptions {
  /** Folder with the installation of the host. */
  installed: string;
  /** A data folder to copy. */
  memories: string;
  /** Changes the home after `engraph connect`. */
  spoil?: (home: string) => Promise<void>;
  /** The person has not confirmed the hooks in the host. */
  isUnconfirmed?: boolean;
}

export const BINARY = fileURLToPath(new URL('../../bin/engraph.js', import.meta.url));
const RUN_TIMEOUT_MS = 120_000;
const ENDING_MS = 5_000;
const run = promisify(execFile);

export async function openLab(
  host: HostProgram,
  { installed, memories, spoil, isUnconfirmed }: LabOptions,
): Promise<Lab> {
  const root = await newFolder();
  const home = join(root, 'home');
  const model = await startModel();
  // Codex does not work as usual if the home is in the folder for temporary files.
  const environment = { ...baseEnvironment(home), TMPDIR: join(root, 'tmp'), ...host.environment(model.url) };
  await mkdir(environment.TMPDIR);
  const dataDir = dataFolder(home);
  await mkdir(dataDir, { recursive: true });
  await cp(memories, dataDir, { recursive: true });
  const { repository, worktree } = await makeRepository(root, environment);
  await host.configure({ home, modelUrl: model.url, repository });
  const connect = ['connect', host.name, '--hooks', '--yes', '--env', 'EMBEDDING_PROVIDER'];
  await run(process.execPath, [BINARY, ...connect], { cwd: home, env: environment });
  const hostRun: HostRun = { command: host.command(installed), environment, folder: repository };
  if (!isUnconfirmed) await host.confirm?.(home, hostRun);
  await spoil?.(home);
  return {
    home,
    model,
    hostRun,
    repository,
    worktree,
    ask: (args, folder = repository) => ask(host, { ...hostRun, folder }, args),
    left: () => leftProcesses(home),
    close: async () => {
      model.close();
      for (const { pid } of await processesOf(home)) end(pid);
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/** A new folder for one lab. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'host-lab-'));
}

/** The environment of a person's shell, without the settings of the developer's own. */
export function baseEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    EMBEDDING_PROVIDER: 'hash',
  };
}

/** The default data folder on Linux and macOS. */
export function dataFolder(home: string): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'engraph');
  return join(home, '.local', 'share', 'engraph');
}

async function makeRepository(root: string, env: Record<string, string>) {
  const repository = join(root, 'checkout');
  const worktree = join(root, 'fix');
  await mkdir(join(repository, 'src', 'basket'), { recursive: true });
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], { cwd: repository, env });
  await git('init', '--quiet', '--initial-branch=main');
  await git('remote', 'add', 'origin', 'https://git.example.com/ann/shop.git');
  await git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
  await git('worktree', 'add', '--quiet', worktree);
  return { repository, worktree };
}

async function ask(
  host: HostProgram,
  { command, environment, folder }: HostRun,
  args: readonly string[],
): Promise<Ended> {
  const [program = '', ...rest] = command;
  const child = spawn(program, [...rest, ...args], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_TIMEOUT_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>(resolve => child.once('close', resolve));
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map(line => line.trim());
  return { code, seen: lines.filter(line => !host.ordinary.test(line)) };
}

async function leftProcesses(home: string): Promise<string[]> {
  const deadline = Date.now() + ENDING_MS;
  for (;;) {
    const left = await processesOf(home);
    if (left.length === 0 || Date.now() > deadline) return left.map(({ command }) => command);
    await pause(100);
  }
}

/** Looks for processes whose environment has this home. Only Linux tells the environment of a process. */
async function processesOf(home: string): Promise<{ pid: number; command: string }[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(
    pids.map(async pid => {
      const [environment, command] = await Promise.all(
        ['environ', 'cmdline'].map(file => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      );
      const isOfHome = environment?.split('\0').includes(`HOME=${home}`);
      return isOfHome && command ? [{ pid: Number(pid), command: command.replaceAll('\0', ' ').trim() }] : [];
    }),
  );
  return found.flat();
}
