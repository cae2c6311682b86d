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
import type { WrittenEntries, WrittenEntryList } from './connections.js';
import {
  type FileFormat,
  ForeignEntry,
  includesAll,
  isJsonObject,
  isSame,
  type JsonObject,
  type Piece,
  valueAt,
} from './format.js';
import { formatOf } from './formats.js';
import type { Target } from './targets.js';

export type Action = 'connect' | 'remove';

export interface Attempt {
  action: Action;
  connections: WrittenEntryList;
  isForced: boolean;
  /** Whether to report the outcome without writing anything. */
  isDry: boolean;
}

export interface ConnectResult {
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
export async function attemptEach(target: Target, how: Attempt): Promise<ConnectResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attemptOnce(target, how);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || tries === MAX_TRIES) throw error;
    }
  }
}

async function attemptOnce(target: Target, how: Attempt): Promise<ConnectResult> {
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
  connection: WrittenEntries | undefined;
  connections: WrittenEntryList;
}

async function textBefore(connection: WrittenEntries | undefined): Promise<string | undefined> {
  if (connection?.backup === undefined) return undefined;
  return (await readConfigFile(connection.backup)).content?.text;
}

/** Writes the backup and the list of connections before the file, so that every change to the file can be undone. */
async function carryOut(step: Step): Promise<ConnectResult> {
  const { target, file, plan, connection, connections } = step;
  const { outcome, text = '', pieces, beginsAnew } = plan;
  const origin = await originOf(step);
  const made: WrittenEntries = {
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

type Origin = Pick<WrittenEntries, 'backup' | 'isAdopted' | 'folders'>;

/** Returns the facts about the file before our first change. Copies the file if that change is about to be made. */
async function originOf({ file, plan, connection }: Step): Promise<Origin> {
  if (!plan.beginsAnew) return connection ?? { isAdopted: true, folders: [] };
  const backup = await keepCopy(file);
  return { ...(backup !== undefined && { backup }), folders: [] };
}

async function takeBack({ file, plan, connection, connections }: Step): Promise<ConnectResult> {
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

/** The current state of a file and the record of earlier runs. */
interface Situation {
  format: FileFormat;
  /** Text of the file. Undefined if the file does not exist. */
  text: string | undefined;
  /** The entries that an earlier run wrote. */
  connection: WrittenEntries | undefined;
  /** Text of the file before the earlier run. Undefined if there was no file, or if the copy of the file is missing. */
  before: string | undefined;
  /** Whether to replace or remove an entry that somebody else wrote. */
  isForced: boolean;
}

export type Outcome = 'connected' | 'updated' | 'unchanged' | 'removed' | 'absent';

interface Plan {
  outcome: Outcome;
  /** Text of the whole file afterwards; undefined if the file will not exist. */
  text: string | undefined;
  /** The entries that Engraph has written and that the file contains afterwards. */
  pieces: readonly Piece[];
  /** Whether a later `--remove` must restore the file as it was before this change. False if nothing changes. */
  beginsAnew: boolean;
}

/**
 * Plans to write pieces into a file. A file that already contains the pieces stays unchanged.
 *
 * @throws ForeignEntry if somebody else wrote a value at the same path, unless `isForced` is set
 */
export function planConnect(situation: Situation, wanted: readonly Piece[]): Plan {
  const { format, text, connection, isForced } = situation;
  const root = format.parse(text ?? '');
  const former = connection?.pieces ?? [];
  const pieces = [...former.filter(piece => writtenAt(wanted, piece) === undefined), ...wanted];
  const steps: PlannedPiece[] = wanted.map(piece => ({
    piece,
    found: valueAt(root, piece.path),
    written: writtenAt(former, piece),
  }));
  if (steps.every(isInPlace)) {
    // List the pieces although nothing changes, because the list that an earlier run wrote may have been lost.
    const isExact = steps.every(({ piece, found }) => isSame(found, piece.value));
    return { outcome: 'unchanged', text, pieces: isExact ? pieces : former, beginsAnew: false };
  }
  for (const { piece, found, written } of steps) {
    if (found !== undefined && !includesAll(found, piece.value) && !isWritten(found, written) && !isForced)
      throw new ForeignEntry(piece.path);
  }
  const beginsAnew = !former.some(piece => isWritten(valueAt(root, piece.path), piece));
  if (beginsAnew) {
    return { outcome: 'connected', text: wanted.reduce(format.set, text ?? ''), pieces: wanted, beginsAnew };
  }
  const changed = isAsWritten(situation)
    ? pieces.reduce(format.set, situation.before ?? '')
    : steps.map(withExtras).reduce(format.set, text ?? '');
  return { outcome: 'updated', text: changed, pieces, beginsAnew };
}

/**
 * Plans the removal of the entries that an earlier run wrote. If the file is unchanged since that run, the plan
 * restores its former text.
 *
 * @param wanted pieces that a run would write now; if no earlier run is recorded, the values at the paths of these
 *   pieces are removed, but only if `isForced` is set
 * @throws ForeignEntry unless `isForced` is set, if a value that would be removed is not from an earlier run, or no
 *   longer contains everything that the run wrote
 */
export function planRemoval(situation: Situation, wanted: readonly Piece[]): Plan {
  const { format, text, connection, before, isForced } = situation;
  const gone = { pieces: [], beginsAnew: false };
  if (connection !== undefined && isAsWritten(situation)) return { outcome: 'removed', text: before, ...gone };
  const root = format.parse(text ?? '');
  const there = (connection?.pieces ?? wanted).filter(({ path }) => valueAt(root, path) !== undefined);
  if (text === undefined || there.length === 0) return { outcome: 'absent', text, ...gone };
  for (const piece of there) {
    if (!isForced && !isWritten(valueAt(root, piece.path), writtenAt(connection?.pieces ?? [], piece)))
      throw new ForeignEntry(piece.path);
  }
  const left = there.reduce((rest, { path }) => format.takeOut(rest, path, before ?? ''), text);
  const wasMade = connection !== undefined && connection.backup === undefined && !connection.isAdopted;
  return { outcome: 'removed', text: wasMade && holdsNothing(left) ? undefined : left, ...gone };
}

/** A piece, the present value at its path, and the value that an earlier run wrote there. */
interface PlannedPiece {
  piece: Piece;
  found: unknown;
  written: Piece | undefined;
}

function isInPlace({ piece, found, written }: PlannedPiece): boolean {
  if (!isWritten(found, written)) return includesAll(found, piece.value);
  return isSame(written?.value, piece.value);
}

function writtenAt(pieces: readonly Piece[], { path }: Piece): Piece | undefined {
  return pieces.find(piece => isSame(piece.path, path));
}

/** Whether a value is ours. A value that the client or the user has extended is still ours. */
function isWritten(found: unknown, written: Piece | undefined): boolean {
  return written !== undefined && includesAll(found, written.value);
}

function isAsWritten({ format, text, connection, before }: Situation): boolean {
  if (connection === undefined || connection.isAdopted || text === undefined) return false;
  if (connection.backup !== undefined && before === undefined) return false;
  return connection.pieces.reduce(format.set, before ?? '') === text;
}

/** Keeps properties that others have added to our value. */
function withExtras({ piece, found, written }: PlannedPiece): Piece {
  if (!isJsonObject(found) || written === undefined) return piece;
  const extras = Object.entries(found).filter(([key]) => !Object.hasOwn(written.value, key));
  return { path: piece.path, value: { ...piece.value, ...(Object.fromEntries(extras) as Piece['value']) } };
}

function holdsNothing(text: string): boolean {
  return ['', '{}'].includes(text.replaceAll(/\s/g, ''));
}
