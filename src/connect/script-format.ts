/** The format for a file that is ours as a whole, such as a plugin. Its first line says so. */
import { ConnectError, type FileFormat, type Piece, valueAt } from './format.js';

export const scriptFormat: FileFormat = { parse, set, takeOut };

export const SCRIPT_MARK =
  '// Written by `engraph connect`. Changes are lost; `engraph connect --remove` removes this file.';
const SCRIPT_PATH: readonly string[] = ['script'];

export function scriptPiece(text: string): Piece {
  return { path: SCRIPT_PATH, value: { text } };
}

function parse(text: string): unknown {
  return text.startsWith(SCRIPT_MARK) ? { script: { text } } : {};
}

function set(text: string, { value }: Piece): string {
  if (text.trim() !== '' && !text.startsWith(SCRIPT_MARK)) throw new ConnectError('Somebody else wrote it');
  return String(value.text);
}

function takeOut(text: string, path: readonly string[], before: string): string {
  return valueAt(parse(text), path) === undefined ? text : before;
}
