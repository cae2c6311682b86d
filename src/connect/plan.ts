/** What is to become of one file. Nothing here writes: the same plan is shown or carried out. */
import { ConnectError } from './connect-error.js';
import type { Connection } from './connections.js';
import { type Format, includesAll, isObject, isSame, type Piece, valueAt } from './format.js';

/** A file as it is, and what is known of it. */
export interface Situation {
  format: Format;
  /** Undefined where there is no file. */
  text: string | undefined;
  /** What was written into it by an earlier run. */
  connection: Connection | undefined;
  /** The text before that run; undefined where there was no file, or its copy is gone. */
  before: string | undefined;
  /** Replaces, or takes out, what somebody else wrote in our place. */
  isForced: boolean;
}

export type Outcome = 'connected' | 'updated' | 'unchanged' | 'removed' | 'absent';

export interface Plan {
  outcome: Outcome;
  /** Of the whole file afterwards; undefined where there is none then. */
  text: string | undefined;
  /** What is ours in it afterwards. */
  pieces: readonly Piece[];
  /** Whether the file as it is now is the state to go back to. */
  beginsAnew: boolean;
}

/**
 * Puts pieces into a file. A file that holds them already is left as it is.
 *
 * @throws ConnectError where somebody else's value stands in the place of one
 */
export function planConnect(situation: Situation, wanted: readonly Piece[]): Plan {
  const { format, text, connection, isForced } = situation;
  const root = format.parse(text ?? '');
  const steps: Step[] = wanted.map(piece => ({
    piece,
    found: valueAt(root, piece.path),
    written: writtenAt(connection, piece),
  }));
  if (steps.every(isInPlace))
    return { outcome: 'unchanged', text, pieces: connection?.pieces ?? [], beginsAnew: false };
  for (const { piece, found, written } of steps) {
    const isForeign = found !== undefined && !includesAll(found, piece.value) && !isWritten(found, written);
    if (isForeign && !isForced) throw foreign(piece, 'replaces it');
  }
  const former = connection?.pieces ?? [];
  const beginsAnew = !former.some(piece => isWritten(valueAt(root, piece.path), piece));
  if (beginsAnew) {
    return { outcome: 'connected', text: wanted.reduce(format.set, text ?? ''), pieces: wanted, beginsAnew };
  }
  const others = former.filter(piece => writtenAt({ pieces: wanted }, piece) === undefined);
  const pieces = [...others, ...wanted];
  const changed = isAsWritten(situation)
    ? pieces.reduce(format.set, situation.before ?? '')
    : steps.map(withExtras).reduce(format.set, text ?? '');
  return { outcome: 'updated', text: changed, pieces, beginsAnew };
}

/**
 * Takes out what an earlier run put in. A file that is still as that run left it becomes what it was before, to the byte.
 *
 * @param wanted what a run would put in now: with force its places are cleared even where nothing is known to be ours
 * @throws ConnectError where the value there is not the one that was written
 */
export function planRemoval(situation: Situation, wanted: readonly Piece[]): Plan {
  const { format, text, connection, before, isForced } = situation;
  const gone = { pieces: [], beginsAnew: false };
  if (connection !== undefined && isAsWritten(situation)) return { outcome: 'removed', text: before, ...gone };
  const root = format.parse(text ?? '');
  const there = (connection?.pieces ?? wanted).filter(({ path }) => valueAt(root, path) !== undefined);
  if (text === undefined || there.length === 0) return { outcome: 'absent', text, ...gone };
  for (const piece of there) {
    if (!isForced && !isWritten(valueAt(root, piece.path), writtenAt(connection, piece)))
      throw foreign(piece, 'takes it out');
  }
  const left = there.reduce((rest, { path }) => format.takeOut(rest, path, before ?? ''), text);
  const wasMade = connection !== undefined && connection.backup === undefined;
  return { outcome: 'removed', text: wasMade && holdsNothing(left) ? undefined : left, ...gone };
}

/** A piece, what is in its place, and what an earlier run has put there. */
interface Step {
  piece: Piece;
  found: unknown;
  written: Piece | undefined;
}

function isInPlace({ piece, found, written }: Step): boolean {
  if (!isWritten(found, written)) return includesAll(found, piece.value);
  return isSame(written?.value, piece.value);
}

function writtenAt(connection: Pick<Connection, 'pieces'> | undefined, { path }: Piece): Piece | undefined {
  return connection?.pieces.find(piece => isSame(piece.path, path));
}

/** A value stays ours where its client or its user has added something to it. */
function isWritten(found: unknown, written: Piece | undefined): boolean {
  return written !== undefined && includesAll(found, written.value);
}

function isAsWritten({ format, text, connection, before }: Situation): boolean {
  if (connection === undefined || text === undefined) return false;
  if (connection.backup !== undefined && before === undefined) return false;
  return connection.pieces.reduce(format.set, before ?? '') === text;
}

/** What others have added to our value stays in it. */
function withExtras({ piece, found, written }: Step): Piece {
  if (!isObject(found) || written === undefined) return piece;
  const extras = Object.entries(found).filter(([key]) => !Object.hasOwn(written.value, key));
  return { path: piece.path, value: { ...piece.value, ...(Object.fromEntries(extras) as Piece['value']) } };
}

function holdsNothing(text: string): boolean {
  return ['', '{}'].includes(text.replaceAll(/\s/g, ''));
}

function foreign({ path }: Piece, whatForceDoes: string): ConnectError {
  return new ConnectError(
    `It has a '${path.join('.')}' that 'engraph connect' did not write like that: --force ${whatForceDoes}`,
  );
}
