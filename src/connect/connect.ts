/** Carries out the plan for one file. If the process is killed at any moment, `--remove` can still undo the change. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import {
  assertWritable,
  ChangedMeanwhile,
  type ConfigFile,
  codeOf,
  readConfigFile,
  removeConfigFile,
  replaceConfigFile,
  writeSynced,
} from './config-file.js';
import type { Connection, Connections } from './connections.js';
import { type JsonObject, type Piece, valueAt } from './format.js';
import { formatOf } from './formats.js';
import { type Outcome, type Plan, planConnect, planRemoval, type Situation } from './plan.js';
import type { Target } from './targets.js';

export type Action = 'connect' | 'remove';

export interface Attempt {
  action: Action;
  connections: Connections;
  isForced: boolean;
  /** Whether to report the outcome without writing anything. */
  isDry: boolean;
}

export interface Result {
  outcome: Outcome;
  /** Path of the file itself, even if the configured path is a symbolic link. */
  file: string;
  /** Path of the copy that was made before the change. */
  backup?: string;
  /** The entries that would be written or removed. Set only in the result of a dry attempt. */
  pieces?: readonly Piece[];
}

const MAX_TRIES = 3;

/** @throws ConnectError with the reason if the change is refused or fails */
export async function attempt(target: Target, how: Attempt): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attemptOnce(target, how);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || tries === MAX_TRIES) throw error;
    }
  }
}

async function attemptOnce(target: Target, how: Attempt): Promise<Result> {
  const { action, connections, isForced, isDry } = how;
  const file = await readConfigFile(target.file);
  const connection = await connections.of(file.path);
  const situation: Situation = {
    format: formatOf(target.format),
    text: file.content?.text,
    connection,
    before: await textBefore(connection),
    isForced,
  };
  const root = situation.format.parse(situation.text ?? '');
  const wanted = target.pieces(root);
  const plan = action === 'connect' ? planConnect(situation, wanted) : planRemoval(situation, wanted);
  if (plan.text !== file.content?.text) await assertWritable(file);
  if (isDry) {
    const pieces = action === 'connect' ? wanted : asFound(connection?.pieces ?? wanted, root);
    return { outcome: plan.outcome, file: file.path, pieces };
  }
  const step = { target, file, plan, connection, connections };
  return action === 'connect' ? carryOut(step) : takeBack(step);
}

/** Replaces the value of each piece by the value that the file has at its path, if it has one. */
function asFound(pieces: readonly Piece[], root: unknown): readonly Piece[] {
  return pieces.map(({ path, value }) => ({ path, value: (valueAt(root, path) ?? value) as JsonObject }));
}

interface Step {
  target: Target;
  file: ConfigFile;
  plan: Plan;
  connection: Connection | undefined;
  connections: Connections;
}

async function textBefore(connection: Connection | undefined): Promise<string | undefined> {
  if (connection?.backup === undefined) return undefined;
  return (await readConfigFile(connection.backup)).content?.text;
}

/** Writes the backup and the list of connections before the file, so that every change to the file can be undone. */
async function carryOut(step: Step): Promise<Result> {
  const { target, file, plan, connection, connections } = step;
  const { outcome, text = '', pieces, beginsAnew } = plan;
  const origin = await originOf(step);
  const made: Connection = {
    ...origin,
    client: target.client.name,
    file: file.path,
    isForProject: target.isForProject,
    format: target.format,
    pieces,
  };
  if (outcome === 'unchanged') {
    if (pieces.length > 0) await connections.put(file.path, made);
    return { outcome, file: file.path };
  }
  const { backup } = origin;
  try {
    await connections.put(file.path, made);
    const folders = await replaceConfigFile(file, text);
    if (folders.length > 0) await connections.put(file.path, { ...made, folders });
  } catch (error) {
    await connections.put(file.path, connection);
    if (beginsAnew && backup !== undefined) await rm(backup, { force: true });
    throw error;
  }
  if (beginsAnew && connection?.backup !== undefined) await rm(connection.backup, { force: true });
  return { outcome, file: file.path, ...(backup !== undefined && { backup }) };
}

type Origin = Pick<Connection, 'backup' | 'isAdopted' | 'folders'>;

/** Returns the facts about the file before our first change. Copies the file if that change is about to be made. */
async function originOf({ file, plan, connection }: Step): Promise<Origin> {
  if (!plan.beginsAnew) return connection ?? { isAdopted: true, folders: [] };
  const backup = await keepCopy(file);
  return { ...(backup !== undefined && { backup }), folders: [] };
}

async function takeBack({ file, plan, connection, connections }: Step): Promise<Result> {
  const { outcome, text } = plan;
  if (text === undefined && file.content !== undefined) await removeConfigFile(file, connection?.folders ?? []);
  else if (text !== undefined && text !== file.content?.text) await replaceConfigFile(file, text);
  if (connection?.backup !== undefined) await rm(connection.backup, { force: true });
  await connections.put(file.path, undefined);
  return { outcome, file: file.path };
}

/** Copies the file to a free name beside it. An earlier copy is never overwritten. */
async function keepCopy({ path, content }: ConfigFile): Promise<string | undefined> {
  if (content === undefined) return undefined;
  const names = [`${path}.engraph-backup`, `${path}.engraph-backup-${randomUUID().slice(0, 8)}`];
  for (const name of names) {
    try {
      await writeSynced(name, content.bytes, content);
      return name;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  throw new ChangedMeanwhile(`The file ${names[0]} exists already`);
}
