/** Plans the change of one file without writing it, so that a plan can be shown or carried out. */
import { ForeignEntry } from './connect-error.js';
import type { Connection } from './connections.js';
import { type Format, includesAll, isObject, isSame, type Piece, valueAt } from './format.js';

/** The current state of a file and the record of earlier runs. */
export interface Situation {
  format: Format;
  /** Text of the file. Undefined if the file does not exist. */
  text: string | undefined;
  /** The entries that an earlier run wrote. */
  connection: Connection | undefined;
  /** Text of the file before the earlier run. Undefined if there was no file, or if the copy of the file is missing. */
  before: string | undefined;
  /** Whether to replace or remove an entry that somebody else wrote. */
  isForced: boolean;
}

export type Outcome = 'connected' | 'updated' | 'unchanged' | 'removed' | 'absent';

export interface Plan {
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
  const steps: Step[] = wanted.map(piece => ({
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
interface Step {
  piece: Piece;
  found: unknown;
  written: Piece | undefined;
}

function isInPlace({ piece, found, written }: Step): boolean {
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
function withExtras({ piece, found, written }: Step): Piece {
  if (!isObject(found) || written === undefined) return piece;
  const extras = Object.entries(found).filter(([key]) => !Object.hasOwn(written.value, key));
  return { path: piece.path, value: { ...piece.value, ...(Object.fromEntries(extras) as Piece['value']) } };
}

function holdsNothing(text: string): boolean {
  return ['', '{}'].includes(text.replaceAll(/\s/g, ''));
}
